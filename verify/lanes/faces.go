package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
	"rea.example/verify/surrogate"
)

// The names of the tools.
const (
	inspectTool = "inspect_web_network_capture"
	viewTool    = "inspect_analysis_view"
)

// arguments are those of the inspecting tool.
func arguments(path, format string, more map[string]any) []byte {
	all := map[string]any{"capture_path": path, "format": format}
	for name, v := range more {
		all[name] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts and numbers
	}
	return text
}

// retained are those of the viewing tool, for Evidence that the server holds.
func retained(id, view string) []byte {
	return fmt.Appendf(nil, `{"source":{"kind":"retained-evidence","evidence_id":%q},"view":%s}`, id, view)
}

// sameFaces holds what the tool answers to what the command line printed: the
// same bytes but for white space. A document that is too large for a message is
// read as a resource instead.
func sameFaces(ctx context.Context, s *mcpclient.Session, args []byte, out product.Output) error {
	printed, err := compact(out.Stdout)
	if err != nil {
		return err
	}
	r, err := s.Call(ctx, inspectTool, args)
	if err != nil {
		return err
	}
	said, err := r.Document()
	if err != nil {
		return err
	}
	var id string // of the Evidence
	if out.Exit == 0 {
		e, err := out.Evidence()
		if err != nil {
			return err
		}
		id = e.ID
	}
	if r.IsError && out.Exit == 0 {
		if said, err = oversized(ctx, s, said, id); err != nil {
			return err
		}
	} else if r.IsError != (out.Exit != 0) {
		return fmt.Errorf("exit status %d, and the tool fails: %t", out.Exit, r.IsError)
	}
	if !bytes.Equal(said, printed) {
		return errors.New("the tool and the command line say different things")
	}
	if !r.IsError {
		return sameValue(r.Structured, said)
	}
	return nil
}

// sameValue compares what two texts say, down to the spelling of numbers. The
// library that writes structured content escapes more characters than it has to.
func sameValue(structured, text []byte) error {
	x, err := value(surrogate.Keep(structured))
	if err != nil {
		return err
	}
	y, err := value(surrogate.Keep(text))
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(x, y) {
		return errors.New("the structured content is not the text")
	}
	return nil
}

// oversized wants the failure of a result that a message can't take, and reads the
// Evidence that it names.
func oversized(ctx context.Context, s *mcpclient.Session, said []byte, id string) ([]byte, error) {
	var f struct {
		Code    string `json:"code"`
		Details struct {
			Resource string `json:"resource"`
			Limits   struct {
				ID string `json:"evidence_id"`
			} `json:"reported_limits"`
		} `json:"details"`
	}
	if err := json.Unmarshal(said, &f); err != nil {
		return nil, err
	}
	if f.Code != "resource_constraint" || f.Details.Resource != "transport" || f.Details.Limits.ID != id {
		return nil, fmt.Errorf("the tool fails with %s where the command line does not", f.Code)
	}
	text, err := s.Resource(ctx, "rea://evidence/"+id)
	return []byte(text), err
}

func compact(document []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, document); err != nil {
		return nil, errors.New("the document is not JSON")
	}
	return b.Bytes(), nil
}
