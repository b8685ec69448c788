package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/lane"
	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
)

// WebMCP talks to the built server as agents do: with a client of the workbench's
// own, which sees every byte, and with the official TypeScript SDK.
var WebMCP = lane.Lane{
	Name:  "web:mcp",
	Doc:   "The built server under two clients: what it lists, answers and refuses, its resources, limits and end.",
	Needs: lane.Needs{Useful: []containers.Image{containers.NPMHar}},
	Run:   runWebMCP,
}

// maxList is the most that a list of tools may weigh: an agent reads it before
// anything else.
const maxList = 12 << 10

func runWebMCP(ctx context.Context, b *bench.Bench) error {
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	samples, err := writeSamples(ctx, run, b.Temp)
	if err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, run.product)
	if err != nil {
		return err
	}
	t := &talk{bench: b, run: run, session: s, samples: samples}
	for _, part := range []func(context.Context) error{t.lists, t.conversations, t.refusals, t.argumentBounds, t.envelopes, t.progress, t.cancels} {
		if err := part(ctx); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	b.Check("the server ends in order, and leaves nothing", func() error { return errors.Join(s.Close(), t.leftNothing()) })
	for _, part := range []func(context.Context) error{t.limits, t.kept, t.atOnce, t.roots, t.killed, t.typescript} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sample is a capture that the program carries.
type sample struct{ format, path string }

// writeSamples puts the sample of every format that the program has into dir.
func writeSamples(ctx context.Context, run *runner, dir string) ([]sample, error) {
	formats, err := listFormats(ctx, run)
	if err != nil {
		return nil, err
	}
	var list []sample
	for _, format := range formats {
		path := filepath.Join(dir, "sample."+format)
		if err := run.sample(ctx, format, path); err != nil {
			return nil, err
		}
		list = append(list, sample{format, path})
	}
	if len(list) == 0 {
		return nil, errors.New("the program has no format")
	}
	return list, nil
}

// talk is a conversation with one server.
type talk struct {
	bench   *bench.Bench
	run     *runner
	session *mcpclient.Session
	samples []sample
}

// leftNothing looks into the folder that the server had for its files.
func (t *talk) leftNothing() error {
	left, err := os.ReadDir(t.run.temp)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%d files are left, first %q", len(left), left[0].Name())
	}
	return err
}

func (t *talk) lists(ctx context.Context) error {
	raw, err := t.session.Request(ctx, "tools/list", []byte("{}"))
	if err != nil {
		return err
	}
	t.bench.Pin("tools/list", fmt.Sprintf("%d bytes", len(raw)))
	t.bench.Check("who serves, and how to begin", func() error {
		server := t.session.Server
		if server.ServerInfo.Name != "rea" || server.ServerInfo.Version == "" || server.ProtocolVersion != mcpclient.Version {
			return fmt.Errorf("%q %q speaks %q", server.ServerInfo.Name, server.ServerInfo.Version, server.ProtocolVersion)
		}
		for _, word := range []string{"summary", "preview", "complete", "data", "instructions"} {
			if !strings.Contains(server.Instructions, word) {
				return fmt.Errorf("the instructions do not say %q", word)
			}
		}
		return nil
	})
	t.bench.Check(fmt.Sprintf("the list of tools is within %d bytes, and says what they do", maxList), func() error { return rightList(raw) })
	t.bench.Check("complete schemas are resources, and closed", func() error { return t.schemas(ctx) })
	return nil
}

// toolList is the list of tools as an agent gets it.
type toolList struct {
	Tools []struct {
		Name         string          `json:"name"`
		Title        string          `json:"title"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		Annotations  struct {
			ReadOnly    bool  `json:"readOnlyHint"`
			Destructive *bool `json:"destructiveHint"`
			Idempotent  bool  `json:"idempotentHint"`
			OpenWorld   *bool `json:"openWorldHint"`
		} `json:"annotations"`
	} `json:"tools"`
}

func rightList(raw []byte) error {
	if len(raw) > maxList {
		return fmt.Errorf("%d bytes", len(raw))
	}
	var l toolList
	if err := json.Unmarshal(raw, &l); err != nil {
		return errors.New("it is not JSON")
	}
	open := map[string]bool{inspectTool: true, viewTool: false}
	if len(l.Tools) != len(open) {
		return fmt.Errorf("%d tools", len(l.Tools))
	}
	for _, tool := range l.Tools {
		world, known := open[tool.Name]
		a := tool.Annotations
		switch {
		case !known || tool.Title == "" || tool.Description == "":
			return fmt.Errorf("tool %q has no title or description, or is unknown", tool.Name)
		case a.ReadOnly || a.Destructive == nil || *a.Destructive || !a.Idempotent || a.OpenWorld == nil || *a.OpenWorld != world:
			return fmt.Errorf("annotations of %s", tool.Name)
		}
		for part, text := range map[string]json.RawMessage{"input": tool.InputSchema, "output": tool.OutputSchema} {
			if err := rightSchema(text, part == "input"); err != nil {
				return fmt.Errorf("%s schema of %s: %w", part, tool.Name, err)
			}
		}
	}
	return nil
}

// rightSchema wants an object at the root, every property of arguments typed, every
// array with items, and no reference to itself.
func rightSchema(text []byte, strict bool) error {
	v, err := value(text)
	if err != nil {
		return err
	}
	root, _ := v.(map[string]any)
	if root["type"] != "object" {
		return errors.New("the root is no object")
	}
	if strict && root["additionalProperties"] != false {
		return errors.New("more arguments are allowed")
	}
	return walkSchema(v, "", strict)
}

func walkSchema(v any, at string, strict bool) error {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if err := walkSchema(item, fmt.Sprintf("%s/%d", at, i), strict); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := v[word].(string); ok && (ref == "#" || word != "$ref") {
				return fmt.Errorf("recursion at %q", at)
			}
		}
		if v["type"] == "array" && v["items"] == nil && v["prefixItems"] == nil {
			return fmt.Errorf("an array without items at %q", at)
		}
		if properties, ok := v["properties"].(map[string]any); ok && strict && !strings.Contains(at, "/if") && !strings.Contains(at, "/then") {
			for name, p := range properties {
				object, _ := p.(map[string]any)
				if object["type"] == nil && object["enum"] == nil && object["const"] == nil && object["$ref"] == nil && object["oneOf"] == nil && object["anyOf"] == nil {
					return fmt.Errorf("property %q at %q has no type", name, at)
				}
			}
		}
		for name, item := range v {
			if err := walkSchema(item, at+"/"+name, strict); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *talk) schemas(ctx context.Context) error {
	raw, err := t.session.Request(ctx, "resources/list", []byte("{}"))
	if err != nil {
		return err
	}
	var l struct {
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return errors.New("the list of resources is not JSON")
	}
	if len(l.Resources) != 4 {
		return fmt.Errorf("%d resources, expected two schemas for each tool", len(l.Resources))
	}
	for _, r := range l.Resources {
		text, err := t.session.Resource(ctx, r.URI)
		if err != nil {
			return err
		}
		if err := rightSchema([]byte(text), strings.HasSuffix(r.URI, "/input")); err != nil {
			return fmt.Errorf("%s: %w", r.URI, err)
		}
	}
	raw, err = t.session.Request(ctx, "resources/templates/list", []byte("{}"))
	if err == nil && !bytes.Contains(raw, []byte(`"rea://evidence/{id}"`)) {
		err = errors.New("no template for Evidence")
	}
	return err
}

// conversations goes the way that the instructions tell, for each format.
func (t *talk) conversations(ctx context.Context) error {
	for _, sample := range t.samples {
		out, err := t.run.inspect(ctx, sample.path, sample.format, "--json")
		if err != nil {
			return err
		}
		t.bench.Check("sample "+sample.format+": complete, by both faces", func() error {
			err := sameFaces(ctx, t.session, arguments(sample.path, sample.format, nil), out)
			return err
		})
		t.bench.Check("sample "+sample.format+": summary, previews, complete records, resource", func() error { return t.converse(ctx, sample, out) })
	}
	return nil
}

func (t *talk) converse(ctx context.Context, c sample, out product.Output) error {
	e, err := out.Evidence()
	if err != nil {
		return explain(err, out)
	}
	r, err := t.session.Call(ctx, inspectTool, arguments(c.path, c.format, map[string]any{"detail": "summary"}))
	if err != nil {
		return err
	}
	summary, err := readView(r)
	if err != nil {
		return err
	}
	if summary.Kind != "summary" || summary.Parent != e.ID || r.Bytes > len(out.Stdout) {
		return errors.New("the summary is no summary, or of another parent")
	}
	if err := sidecars(e); err != nil {
		return err
	}
	for _, detail := range []string{"preview", "complete"} {
		r, err := t.session.Call(ctx, viewTool, retained(summary.Parent, `{"kind":"capture","detail":"`+detail+`","limit":1000}`))
		if err != nil {
			return err
		}
		page, err := readView(r)
		if err != nil {
			return err
		}
		if len(page.Items) != len(e.Result.Records) {
			return fmt.Errorf("%d rows of detail %s, %d records", len(page.Items), detail, len(e.Result.Records))
		}
	}
	text, err := t.session.Resource(ctx, "rea://evidence/"+e.ID)
	if err != nil {
		return err
	}
	printed, err := compact(out.Stdout)
	if err == nil && text != string(printed) {
		err = errors.New("the resource is not the Evidence")
	}
	return err
}
