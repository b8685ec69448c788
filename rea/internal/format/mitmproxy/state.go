package mitmproxy

import (
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// suspect is what the reader noticed that may make a state unacceptable, unless
// it stood in a value that a repeated key discarded.
type suspect struct {
	depth int  // of the deepest value
	key   bool // a dictionary has a key that is no text
}

// check looks for what is unacceptable in what was read as a state, in its order.
func (s suspect) check(v *tree.Value) *fault {
	if v.Kind != tree.Object {
		return faultAt(int(v.Offset), "a record must be a dictionary")
	}
	if s.depth <= limits.CaptureDepth && !s.key {
		return nil
	}
	return acceptable(v, 0)
}

func acceptable(v *tree.Value, depth int) *fault {
	if depth > limits.CaptureDepth {
		return tooDeep(int(v.Offset))
	}
	for i := range v.Items {
		c := &v.Items[i]
		if c.Name == notText {
			return faultAt(int(v.Offset), "a dictionary has a key that is not text")
		}
		if f := acceptable(c, depth+1); f != nil {
			return f.in(step(v, i), depth)
		}
	}
	return nil
}

// mark marks the places of a state, and of the backups in it, that hold
// transport authentication, and checks the shape of the lists in which they
// are looked for.
func mark(state *tree.Value) *fault {
	for i := range state.Items {
		var f *fault
		m := &state.Items[i]
		if m.Kind != tree.Object {
			continue
		}
		switch m.Name { // names are text without escapes
		case "request", "response":
			f = markMessage(m, m.Name == "request")
		case "backup":
			f = mark(m)
		case "metadata":
			markMetadata(m)
		}
		if f != nil {
			return f.in(step(state, i), 0)
		}
	}
	return nil
}

// markMetadata marks what the proxy itself was given: its authentication addon
// keeps the user name and password of a flow's client here.
func markMetadata(metadata *tree.Value) {
	if v := metadata.Get("proxyauth"); v != nil && v.Kind != tree.Null {
		v.Mark |= tree.Credential
	}
}

func markMessage(message *tree.Value, request bool) *fault {
	for i := range message.Items {
		switch m := &message.Items[i]; m.Name {
		case "headers", "trailers":
			if f := markHeaders(m); f != nil {
				return f.in(step(message, i), 0)
			}
		case "path":
			if request {
				markText(m, tree.RecordedURL)
			}
		case "authority":
			if request {
				markText(m, tree.RecordedAuthority)
			}
		}
	}
	return nil
}

// markHeaders reads pairs of a name in bytes and a value. A dictionary of them, or
// lines in one text, are nothing that mitmproxy writes; what stands under a
// credential's name there is hidden all the same.
func markHeaders(list *tree.Value) *fault {
	if list.Kind == tree.Object {
		for i := range list.Items {
			markHeader(list.Items[i].Name, &list.Items[i])
		}
	}
	if (list.Kind == tree.Bytes || list.Kind == tree.String) && redact.SpellsCredential(list.Text) {
		list.Mark |= tree.Credential
	}
	if list.Kind != tree.Array {
		return nil
	}
	for i := range list.Items {
		pair := &list.Items[i]
		if pair.Kind != tree.Array || len(pair.Items) != 2 || pair.Items[0].Kind != tree.Bytes {
			return faultAt(int(pair.Offset), "a header is not a pair of a name in bytes and a value").in(step(list, i), 0)
		}
		markHeader(pair.Items[0].Text, &pair.Items[1])
	}
	return nil
}

func markHeader(name string, value *tree.Value) {
	switch {
	case redact.CredentialHeader(name):
		if value.Kind != tree.Null { // which says nothing
			value.Mark |= tree.Credential
		}
	case redact.URLHeader(name):
		markText(value, tree.RecordedURL)
	}
}

// markText marks a URL or an authority. What stands in its place and is no text
// is nothing that mitmproxy writes; a list or dictionary there could hold either,
// and is hidden as a whole.
func markText(v *tree.Value, m tree.Mark) {
	switch v.Kind {
	case tree.Bytes, tree.String:
		v.Mark |= m
	case tree.Array, tree.Object:
		v.Mark |= tree.Credential
	}
}
