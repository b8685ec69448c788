package lanes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rea.example/containers"
	"rea.example/verify/product"
)

// typescript goes the same way with the official SDK.
func (t *talk) typescript(ctx context.Context) error {
	if reason := t.bench.Lacks(containers.NPMHar); reason != "" {
		t.bench.NotRun("the TypeScript SDK takes every schema and result", reason)
		return nil
	}
	plan, files, want := sdkPlan(t.samples)
	said, err := runSDK(ctx, t.bench, files, plan)
	if err != nil {
		return err
	}
	t.bench.Check("the TypeScript SDK sees the server, its instructions and its schemas", func() error {
		if said.Server.Name != "rea" || said.Instructions != t.session.Server.Instructions {
			return errors.New("another server, or other instructions")
		}
		return said.usable()
	})
	for i, s := range said.Steps {
		t.bench.Check("the TypeScript SDK, "+want[i].name, func() error { return want[i].holds(s) })
	}
	return nil
}

// expected is what a step of the SDK has to come to: nothing for success, "resource"
// for Evidence, "no resource", or the code of a failure; with a question mark behind
// it where not the arguments are wrong but what they name.
type expected struct{ name, outcome string }

func (x expected) holds(s sdkStep) error {
	switch x.outcome {
	case "":
		return s.success()
	case "resource":
		_, err := product.Output{Stdout: []byte(s.Text)}.Evidence()
		return err
	case "no resource":
		if s.OK || s.Error == "" {
			return errors.New("the SDK sees no error")
		}
		return nil
	}
	// What is wrong with arguments alone, the schema refuses, too.
	code, ofTheCapture := strings.CutSuffix(x.outcome, "?")
	if code == "invalid_request" && s.Accepts != nil && *s.Accepts != ofTheCapture {
		return fmt.Errorf("the input schema takes the arguments: %t", *s.Accepts)
	}
	return s.failure(code)
}

func sdkPlan(samples []sample) (plan []step, files []containers.File, want []expected) {
	add := func(name, outcome string, s step) {
		plan, want = append(plan, s), append(want, expected{name, outcome})
	}
	view := func(v map[string]any) step {
		return step{Tool: viewTool, Arguments: map[string]any{"source": map[string]any{"kind": "retained-evidence", "evidence_id": "$parent"}, "view": v}}
	}
	for _, c := range samples {
		path := containers.Work + "/sample." + c.format
		files = append(files, containers.File{Name: "sample." + c.format, Path: c.path})
		inspect := func(more map[string]any) step {
			args := map[string]any{"capture_path": path, "format": c.format}
			for name, v := range more {
				args[name] = v
			}
			return step{Tool: inspectTool, Arguments: args}
		}
		add(c.format+" complete", "", inspect(nil))
		add(c.format+" of one record", "", inspect(map[string]any{"record_ordinals": []int{1}}))
		add(c.format+" with a declared value", "", inspect(map[string]any{"sensitive_values": []string{"example"}}))
		add(c.format+" summary", "", inspect(map[string]any{"detail": "summary"}))
		add(c.format+" summary view", "", view(map[string]any{"kind": "summary"}))
		add(c.format+" previews", "", view(map[string]any{"kind": "capture"}))
		add(c.format+" complete records", "", view(map[string]any{"kind": "capture", "detail": "complete", "offset": 1, "limit": 2}))
		add(c.format+" resource", "resource", step{URI: "rea://evidence/$parent"})
		surface := "unsupported_target"
		if c.format == "har" {
			surface = ""
		}
		add(c.format+" API surface", surface, view(map[string]any{"kind": "api-surface"}))
		if c.format == "qlog" {
			for _, v := range facetViews() {
				add("qlog "+v["facet"].(string), "", view(v))
			}
		}
	}
	first := samples[0]
	path := containers.Work + "/sample." + first.format
	wrong := func(name string, args map[string]any) {
		add(name, "invalid_request", step{Tool: inspectTool, Arguments: args})
	}
	wrong("an unknown argument", map[string]any{"capture_path": path, "format": first.format, "more": 1})
	wrong("an unknown format", map[string]any{"capture_path": path, "format": "pcap"})
	wrong("no path", map[string]any{"format": first.format})
	wrong("an ordinal below zero", map[string]any{"capture_path": path, "format": first.format, "record_ordinals": []int{-1}})
	add("a view of an unknown kind", "invalid_request", view(map[string]any{"kind": "nothing"}))
	add("a view with a foreign argument", "invalid_request", view(map[string]any{"kind": "summary", "facet": "traces"}))
	add("a missing file", "invalid_request?", step{Tool: inspectTool, Arguments: map[string]any{"capture_path": path + ".absent", "format": first.format}})
	add("a resource that is not there", "no resource", step{URI: "rea://evidence/ev_" + strings.Repeat("0", 64)})
	return plan, files, want
}
