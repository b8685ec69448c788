package lanes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
)

// step is something that sdk.mjs does.
type step struct {
	Tool      string         `json:"tool,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
	URI       string         `json:"uri,omitempty"`
}

// sdkSaid is what the official TypeScript SDK saw.
type sdkSaid struct {
	Server struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"server"`
	Instructions string `json:"instructions"`
	Tools        []struct {
		Name        string         `json:"name"`
		Annotations map[string]any `json:"annotations"`
		Input       string         `json:"input"` // why its schema can't be used
		Output      string         `json:"output"`
	} `json:"tools"`
	Steps []sdkStep `json:"steps"`
}

type sdkStep struct {
	OK       bool   `json:"ok"` // the SDK took the answer, and its schema
	Error    string `json:"error"`
	IsError  bool   `json:"is_error"`
	Text     string `json:"text"`
	Progress int    `json:"progress"`
	Accepts  *bool  `json:"accepts"` // the input schema takes the arguments
	Valid    *bool  `json:"valid"`   // the output schema takes the result
}

// runSDK drives the product in the container that has the SDK. The files lie in
// its folder /work.
func runSDK(ctx context.Context, b *bench.Bench, files []containers.File, plan []step) (*sdkSaid, error) {
	executable, err := b.Portable(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	files = append(files, script("sdk.mjs"), containers.File{Name: "plan.json", Data: text},
		containers.File{Name: "rea", Path: executable, Mode: 0o755})
	r, err := b.Dock.Run(ctx, containers.Spec{Image: containers.NPMHar, Cmd: []string{"node", "sdk.mjs"}, Files: files})
	if err != nil {
		return nil, err
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("sdk.mjs ended with %d: %s", r.ExitCode, lastLine(r.Stderr))
	}
	if len(r.Stderr) > 0 {
		return nil, errors.New("the server wrote to standard error")
	}
	said := new(sdkSaid)
	if err := json.Unmarshal(r.Stdout, said); err != nil {
		return nil, fmt.Errorf("sdk.mjs: %w", err)
	}
	if len(said.Steps) != len(plan) {
		return nil, fmt.Errorf("sdk.mjs did %d of %d steps", len(said.Steps), len(plan))
	}
	return said, nil
}

// usable wants every advertised schema to be one that ajv compiles.
func (s *sdkSaid) usable() error {
	var errs []error
	for _, t := range s.Tools {
		if t.Input != "" || t.Output != "" {
			errs = append(errs, fmt.Errorf("%s: schemas: %s %s", t.Name, t.Input, t.Output))
		}
	}
	if len(s.Tools) != 2 {
		errs = append(errs, fmt.Errorf("%d tools, expected 2", len(s.Tools)))
	}
	return errors.Join(errs...)
}

// success wants a result that the SDK took, valid under the schema as ajv for
// 2020-12 reads it, from arguments that the input schema takes.
func (s sdkStep) success() error {
	switch {
	case !s.OK:
		return fmt.Errorf("the SDK refuses it: %s", s.Error)
	case s.IsError:
		return errors.New("the tool fails")
	case s.Valid == nil || !*s.Valid:
		return errors.New("the result is not valid under the output schema")
	case s.Accepts == nil || !*s.Accepts:
		return errors.New("the arguments are not valid under the input schema")
	}
	return nil
}

// failure wants a failure of that code, in the text alone. Arguments that a tool
// calls wrong are wrong under the input schema, too.
func (s sdkStep) failure(code string) error {
	if !s.OK || !s.IsError || s.Valid != nil || !strings.HasPrefix(s.Text, `{"error":{`) {
		return fmt.Errorf("no failure as text: %s", s.Error)
	}
	if !strings.Contains(s.Text, `"code":"`+code+`"`) {
		return fmt.Errorf("another failure than %s", code)
	}
	return nil
}
