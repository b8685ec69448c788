package har

import (
	"strings"

	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// markSecrets marks the places of an entry that hold transport authentication.
// A valid entry holds them in the shapes of HAR 1.2. Where conformance "report"
// lets another shape through, whatever stands in such a place and is not of the
// standard shape is marked as a whole, so that nothing slips by.
func markSecrets(entry *tree.Value) {
	if entry.Kind != tree.Object {
		hide(entry)
		return
	}
	for i := range entry.Items {
		side := &entry.Items[i]
		switch side.Name {
		case "request":
			markSide(side, "url")
		case "response":
			markSide(side, "redirectURL")
		}
	}
}

func markSide(side *tree.Value, url string) {
	if side.Kind != tree.Object {
		hide(side)
		return
	}
	for i := range side.Items {
		m := &side.Items[i]
		switch m.Name {
		case url:
			markURL(m)
		case "headers":
			markHeaders(m)
		case "cookies":
			markCookies(m)
		}
	}
}

func markURL(v *tree.Value) {
	if v.Kind == tree.String {
		v.Mark |= tree.RecordedURL
		return
	}
	hide(v)
}

func markHeaders(list *tree.Value) {
	switch list.Kind {
	case tree.Array:
		markHeaderList(list.Items)
	case tree.Object:
		markHeaderMap(list)
	default:
		hide(list)
	}
}

func markHeaderList(items []tree.Value) {
	standard := true
	for i := range items {
		name, value := pair(&items[i])
		if value == nil {
			standard = false
			hide(&items[i])
			continue
		}
		markHeader(name, value)
	}
	if standard {
		return // further members are extensions, whatever their names
	}
	for i := range items {
		for k := range items[i].Items {
			if m := &items[i].Items[k]; redact.CredentialHeader(m.Name) {
				hide(m)
			}
		}
	}
}

// markHeaderMap reads a map of names to values, which is not HAR, but which
// producers write. What looks like one header, or like lines of headers, in the
// place of the map does not tell what it holds, and is hidden.
func markHeaderMap(v *tree.Value) {
	single := false
	for i := range v.Items {
		switch strings.ToLower(v.Items[i].Name) {
		case "name", "key", "header", "headers", "value", "values", "raw", "text", "line", "lines":
			single = true
		}
	}
	for i := range v.Items {
		m := &v.Items[i]
		if single || m.Kind != tree.String || redact.SpellsCredential(m.Decode()) {
			hide(m)
			continue
		}
		markHeader(m.Name, m)
	}
}

func markHeader(name string, value *tree.Value) {
	switch {
	case redact.CredentialHeader(name):
		hide(value)
	case redact.URLHeader(name):
		value.Mark |= tree.RecordedURL
	}
}

func markCookies(list *tree.Value) {
	if list.Kind != tree.Array {
		hide(list)
		return
	}
	for i := range list.Items {
		if _, value := pair(&list.Items[i]); value != nil {
			hide(value)
		} else {
			hide(&list.Items[i])
		}
	}
}

// pair reads an object whose name and value are strings; value is nil where v
// is anything else.
func pair(v *tree.Value) (name string, value *tree.Value) {
	n, val := v.Get("name"), v.Get("value")
	if n == nil || n.Kind != tree.String || val == nil || val.Kind != tree.String {
		return "", nil
	}
	return n.Decode(), val
}

// hide marks a value; null says nothing, and stays what it is.
func hide(v *tree.Value) {
	if v.Kind != tree.Null {
		v.Mark |= tree.Credential
	}
}
