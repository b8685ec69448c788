package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"rea.example/verify/mcpclient"
)

// largeCapture is a HAR whose Evidence is more than a message takes.
func largeCapture(dir string) (string, error) {
	path := filepath.Join(dir, "large.har")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	entry := `{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"text/plain","text":"` + strings.Repeat("text ", 200) + `"},"redirectURL":"","headersSize":-1,"bodySize":0},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}`
	entries := bytes.Repeat([]byte(entry+","), 14000)
	text := append([]byte(`{"log":{"version":"1.2","creator":{"name":"large","version":"1"},"entries":[`), entries[:len(entries)-1]...)
	return path, os.WriteFile(path, append(text, "]}}"...), 0o600)
}

// limits crosses the bound of a message, as it is and raised.
func (t *talk) limits(ctx context.Context) error {
	path, err := largeCapture(t.bench.Temp)
	if err != nil {
		return err
	}
	p := *t.run.product
	s, err := mcpclient.Open(ctx, &p)
	if err != nil {
		return err
	}
	t.bench.Check("a result too large for a message is a failure that leads to its Evidence", func() error {
		r, err := s.Call(ctx, inspectTool, arguments(path, "har", nil))
		if err != nil {
			return err
		}
		return t.oversized(ctx, s, r)
	})
	t.bench.Check("that server ends in order", s.Close)

	p.Env = append(p.Env[:len(p.Env):len(p.Env)], "REA_MCP_MAX_RESPONSE_BYTES=200000000")
	raised, err := mcpclient.Open(ctx, &p)
	if err != nil {
		return err
	}
	t.bench.Check("with the bound raised, the result comes whole", func() error {
		r, err := raised.Call(ctx, inspectTool, arguments(path, "har", nil))
		if err != nil {
			return err
		}
		if r.IsError || r.Bytes < 20<<20 {
			return fmt.Errorf("failure: %t, %d bytes", r.IsError, r.Bytes)
		}
		text, err := r.Text()
		return errors.Join(err, sameValue(r.Structured, []byte(text)))
	})
	t.bench.Check("the server with a raised bound ends in order, and leaves nothing", func() error { return errors.Join(raised.Close(), t.leftNothing()) })
	return nil
}

func (t *talk) oversized(ctx context.Context, s *mcpclient.Session, r *mcpclient.Result) error {
	document, err := r.Document()
	if err != nil {
		return err
	}
	var f struct {
		Code    string `json:"code"`
		Details struct {
			Resource string `json:"resource"`
			Limits   struct {
				Boundary  string `json:"boundary"`
				Budget    int    `json:"result_budget_bytes"`
				Reference struct {
					Kind string `json:"kind"`
					ID   string `json:"evidence_id"`
				} `json:"evidence_reference"`
			} `json:"reported_limits"`
		} `json:"details"`
	}
	if err := json.Unmarshal(document, &f); err != nil {
		return err
	}
	l := f.Details.Limits
	if !r.IsError || f.Code != "resource_constraint" || f.Details.Resource != "transport" || l.Boundary != "mcp-response" || l.Budget != 10485760-1024 || l.Reference.Kind != "retained-evidence" {
		return fmt.Errorf("failure: %t, code %s, resource %s, budget %d", r.IsError, f.Code, f.Details.Resource, l.Budget)
	}
	for _, view := range []string{`{"kind":"summary"}`, `{"kind":"capture","offset":13990,"limit":20}`} {
		r, err := s.Call(ctx, viewTool, retained(l.Reference.ID, view))
		if err != nil {
			return err
		}
		if _, err := readView(r); err != nil {
			return err
		}
	}
	return nil
}

// roots bounds where captures may be.
func (t *talk) roots(ctx context.Context) error {
	inside := filepath.Join(t.bench.Temp, "inside")
	if err := os.Mkdir(inside, 0o700); err != nil {
		return err
	}
	c := t.samples[0]
	data, err := os.ReadFile(c.path)
	if err != nil {
		return err
	}
	allowed, link := filepath.Join(inside, "allowed"), filepath.Join(inside, "link")
	if err := errors.Join(os.WriteFile(allowed, data, 0o600), os.Symlink(t.bench.Temp, link)); err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, t.run.product, "--allow-root", inside)
	if err != nil {
		return err
	}
	for _, r := range []struct {
		name, path string
		taken      bool
	}{
		{"inside", allowed, true},
		{"outside", c.path, false},
		{"outside by dots", filepath.Join(inside, "x") + "/../../" + filepath.Base(c.path), false},
		{"outside by a link", filepath.Join(link, filepath.Base(c.path)), false},
	} {
		t.bench.Check("with an allowed root, a capture "+r.name, func() error {
			got, err := s.Call(ctx, inspectTool, arguments(r.path, c.format, nil))
			if err != nil {
				return err
			}
			if r.taken {
				if got.IsError {
					return errors.New("it is refused")
				}
				return nil
			}
			return rightFailure(got, "access_denied", "")
		})
	}
	t.bench.Check("the server with an allowed root ends in order", s.Close)
	return nil
}

// killed ends a server in the middle of a call, and wants its child to be gone
// soon.
func (t *talk) killed(ctx context.Context) error {
	const name = "a server that is killed leaves no process and no capture"
	if runtime.GOOS != "linux" {
		t.bench.NotRun(name, "processes are looked for in /proc")
		return nil
	}
	path, err := largeCapture(t.bench.Temp)
	if err != nil {
		return err
	}
	t.bench.Check(name, func() error {
		s, err := mcpclient.Open(ctx, t.run.product)
		if err != nil {
			return err
		}
		if _, _, err := begun(ctx, s, path); err != nil {
			return errors.Join(err, s.Close())
		}
		if err := s.Kill(); err != nil {
			return err
		}
		_ = s.Close() // it was not an orderly end
		if err := eventually(ctx, func() error { return noProcess(t.run.temp) }); err != nil {
			return err
		}
		// The next start removes what a killed one could not.
		if _, err := t.run.product.Run(ctx, "sample", "har", "--json"); err != nil {
			return err
		}
		return t.leftNothing()
	})
	return nil
}

// noProcess looks for processes whose environment names the folder.
func noProcess(temp string) error {
	entries, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return err
	}
	for _, path := range entries {
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, []byte("TMPDIR="+temp)) {
			return errors.New("a process is left")
		}
	}
	return nil
}
