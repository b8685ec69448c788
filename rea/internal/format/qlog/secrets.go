package qlog

import (
	"strings"

	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// markSecrets marks the places of an event that hold transport authentication.
// A frame is what its type says, whichever event tells of it: packets that were
// sent, received, lost or buffered, frames that were processed.
func markSecrets(event *tree.Value) {
	name, data := event.Get("name"), event.Get("data")
	markFrames(data.Get("frames"))
	markFrame(data.Get("frame"))
	switch {
	case name.Is("transport:parameters_set"), name.Is("transport:parameters_restored"):
		markResetTokens(data)
		markResetTokens(data.Get("preferred_address"))
	case name.Is("http:frame_created"), name.Is("http:frame_parsed"):
		if headers := data.At("frame", "headers"); headers != nil {
			markHeaders(headers)
		}
	}
}

func markFrames(frames *tree.Value) {
	markFrame(frames) // where one frame stands for a list
	if frames == nil || frames.Kind != tree.Array {
		return
	}
	for i := range frames.Items {
		markFrame(&frames.Items[i])
	}
}

// markFrame marks the tokens of a frame (RFC 9000 sections 19.7 and 19.15).
func markFrame(frame *tree.Value) {
	kind, _ := frame.Get("frame_type").Str()
	switch {
	case strings.EqualFold(kind, "new_connection_id"):
		markResetTokens(frame)
	case strings.EqualFold(kind, "new_token"):
		hide(frame.Get("token"))
	}
}

// markResetTokens marks stateless reset tokens (RFC 9000 section 10.3), which
// the drafts spell in two ways.
func markResetTokens(in *tree.Value) {
	hide(in.Get("reset_token"))
	hide(in.Get("stateless_reset_token"))
}

// markHeaders marks the headers of an HTTP frame. The producer writes a list of
// objects with a name and a value. Where something else stands, it is marked as
// far as it may hold a credential, so that nothing slips by.
func markHeaders(list *tree.Value) {
	switch list.Kind {
	case tree.Array:
		for i := range list.Items {
			markItem(&list.Items[i])
		}
	case tree.Object: // names with values as members
		for i := range list.Items {
			markHeader(list.Items[i].Name, &list.Items[i])
		}
	default:
		hide(list)
	}
}

func markItem(h *tree.Value) {
	name, ok := h.Get("name").Str()
	if !ok {
		hide(h)
		return
	}
	for i := range h.Items {
		switch m := &h.Items[i]; {
		case m.Name == "name":
		case m.Name == "value":
			markHeader(name, m)
		case redact.CredentialHeader(name): // the value in another form
			hide(m)
		}
	}
}

func markHeader(name string, value *tree.Value) {
	switch {
	case redact.CredentialHeader(name):
		hide(value)
	case redact.URLHeader(name), pseudo(name, ":path"):
		markText(value, tree.RecordedURL)
	case pseudo(name, ":authority"):
		markText(value, tree.RecordedAuthority)
	}
}

// pseudo compares with the name of a pseudo-header field (RFC 9114 section
// 4.3.1), as leniently as the names of other headers are compared.
func pseudo(name, lower string) bool {
	return strings.EqualFold(strings.Trim(name, " \t"), lower)
}

func markText(v *tree.Value, mark tree.Mark) {
	if v.Kind != tree.String {
		hide(v)
		return
	}
	v.Mark |= mark
}

// hide marks a value; null says nothing, and stays what it is.
func hide(v *tree.Value) {
	if v != nil && v.Kind != tree.Null {
		v.Mark |= tree.Credential
	}
}
