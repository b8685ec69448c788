package lanes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/product"
)

// sameFlows holds every flow of a recording to what the origin wrote down.
func sameFlows(e *product.Evidence, rows []answered, name string) error {
	left := byPath(rows)
	messages := byProtocol(rows)
	kinds := map[string]int{}
	for i, record := range e.Result.Records {
		state, err := value(record.Reported)
		if err != nil {
			return err
		}
		kind, _ := harfile.At(state, "type").(string)
		kinds[kind]++
		switch kind {
		case "http":
			if harfile.At(state, "websocket") != nil {
				kinds["websocket"]++
				err = sameMessages(record, state, messages["websocket"], "/websocket/messages/%d/2", "websocket", "messages")
				break
			}
			err = sameHTTP(record, state, left, name == "replayed.mitm")
			if harfile.At(state, "error") != nil {
				kinds["error"]++
			}
		case "tcp", "udp":
			err = sameMessages(record, state, messages[kind], "/messages/%d/1", "messages")
		case "dns":
			if questions, _ := harfile.At(state, "request", "questions").([]any); len(questions) != 1 {
				err = fmt.Errorf("%d questions, expected 1", len(questions))
			}
		default:
			err = fmt.Errorf("unknown type %q", kind)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%d answers of the origin are in no record", len(left))
	}
	return expectedKinds(kinds, name)
}

// expectedKinds is what traffic.py provokes.
func expectedKinds(kinds map[string]int, name string) error {
	want := map[string]int{}
	if name == "flows.mitm" {
		want = map[string]int{"websocket": 1, "tcp": 1, "udp": 1, "dns": 2, "error": 2}
	}
	if name == "answered.mitm" {
		want["websocket"] = 1
	}
	for _, kind := range []string{"websocket", "tcp", "udp", "dns", "error"} {
		if kinds[kind] != want[kind] {
			return fmt.Errorf("%d flows of kind %s, expected %d", kinds[kind], kind, want[kind])
		}
	}
	return nil
}

func byProtocol(rows []answered) map[string][]answered {
	out := map[string][]answered{}
	for _, r := range rows {
		out[r.Protocol] = append(out[r.Protocol], r)
	}
	return out
}

// sameHTTP compares one exchange, and takes its row away.
func sameHTTP(record product.Record, state any, left map[string]answered, replayed bool) error {
	path, _ := harfile.At(state, "request", "path").(string)
	row, ok := left[path]
	if !ok {
		if harfile.At(state, "error") == nil {
			return errors.New("what was not served has no error either")
		}
		return nil
	}
	delete(left, path)
	if version := harfile.At(state, "request", "http_version"); version != row.Protocol {
		return fmt.Errorf("HTTP version %v, the origin spoke %s", version, row.Protocol)
	}
	if harfile.At(state, "request", "method") != row.Method || fmt.Sprint(harfile.At(state, "response", "status_code")) != strconv.Itoa(row.Status) {
		return errors.New("another method or status than the origin's")
	}
	if got := harfile.At(state, "is_replay"); replayed != (got == "request") {
		return fmt.Errorf("is_replay is %v", got)
	}
	// A replayed exchange is not streamed: nobody waits for it.
	kept := func(size int64) bool { return replayed || size <= streamed }
	if err := sameContent(record, state, "request", row.RequestSHA256, row.RequestBytes, kept(row.RequestBytes)); err != nil {
		return err
	}
	return sameContent(record, state, "response", row.ResponseSHA256, row.ResponseBytes, kept(row.ResponseBytes))
}

// sameContent wants the bytes of a body as they went over the wire, or none at
// all of one that was not kept.
func sameContent(record product.Record, state any, side, digest string, size int64, kept bool) error {
	pointer := "/" + side + "/content"
	field := binaryAt(record, pointer)
	if !kept {
		if field != nil || harfile.At(state, side, "content") != nil {
			return fmt.Errorf("%s: bytes of a body that was not kept", pointer)
		}
		return nil
	}
	if field == nil || field.SHA256 == nil || field.Bytes == nil {
		return fmt.Errorf("%s: no bytes", pointer)
	}
	if *field.SHA256 != digest || *field.Bytes != size {
		return fmt.Errorf("%s: other bytes than went over the wire", pointer)
	}
	return nil
}

func binaryAt(record product.Record, pointer string) *product.Binary {
	for i := range record.BinaryFields {
		if record.BinaryFields[i].Pointer == pointer {
			return &record.BinaryFields[i]
		}
	}
	return nil
}

// sameMessages compares the messages of a flow, in their order in each direction:
// a proxy may see the directions in another interleaving than the origin.
func sameMessages(record product.Record, state any, rows []answered, pointer string, names ...string) error {
	list, _ := harfile.At(state, names...).([]any)
	if len(list) != len(rows) || len(rows) == 0 {
		return fmt.Errorf("%d messages, the origin saw %d", len(list), len(rows))
	}
	var got, want [2][]string
	for i, row := range rows {
		side := direction(row.FromClient)
		want[side] = append(want[side], row.SHA256)
		field := binaryAt(record, fmt.Sprintf(pointer, i))
		if field == nil || field.SHA256 == nil {
			return fmt.Errorf("message %d has no bytes", i)
		}
		side = direction(fromClient(list[i]))
		got[side] = append(got[side], *field.SHA256)
	}
	for side := range got {
		if strings.Join(got[side], " ") != strings.Join(want[side], " ") {
			return errors.New("other messages than the origin saw or sent")
		}
	}
	return nil
}

// fromClient is the one boolean that comes first in a message, after the type
// that messages of a WebSocket have.
func fromClient(message any) bool {
	items, _ := message.([]any)
	for _, item := range items {
		if b, ok := item.(bool); ok {
			return b
		}
	}
	return false
}

func direction(fromClient bool) int {
	if fromClient {
		return 0
	}
	return 1
}

// note is what the corpus's author expects of a flow file, as far as a program can
// tell: ACCEPT with a number of records, or REJECT.
func sameNote(f captures.File, ok bool, records int) error {
	if f.Note == "" {
		return nil
	}
	verdict, rest, _ := strings.Cut(f.Note, " ")
	if (verdict == "ACCEPT") != ok {
		return fmt.Errorf("accepted: %t, the table says %s", ok, verdict)
	}
	if !ok {
		return nil
	}
	number, _, _ := strings.Cut(rest, " ")
	if number != strconv.Itoa(records) {
		return fmt.Errorf("%d records, the table says %s", records, number)
	}
	return nil
}
