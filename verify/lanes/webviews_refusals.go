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
	"unicode/utf16"

	"rea.example/verify/product"
)

// refused wants the same failure of a view by both faces.
func (v *viewer) refused(ctx context.Context, p *parent, view map[string]any, code, reason string) error {
	text, err := json.Marshal(view)
	if err != nil {
		return err
	}
	out, err := v.run.look(ctx, p.file, string(text))
	if err != nil {
		return err
	}
	r, err := v.session.Call(ctx, viewTool, retained(p.evidence.ID, string(text)))
	if err != nil {
		return err
	}
	said, err := r.Document()
	if err != nil {
		return err
	}
	if out.Exit != 1 || !r.IsError {
		return fmt.Errorf("view %s is taken", text)
	}
	return errors.Join(sameCode(out.Stdout, code, reason), sameCode(said, code, reason))
}

func sameCode(document []byte, code, reason string) error {
	var f product.Failure
	if err := json.Unmarshal(document, &f); err != nil {
		return errors.New("the failure is not JSON")
	}
	if f.Code != code || reason != "" && f.Details.Reason != reason {
		return fmt.Errorf("%s %s, expected %s %s", f.Code, f.Details.Reason, code, reason)
	}
	return nil
}

// refusals provokes what a view has to refuse.
func (v *viewer) refusals(ctx context.Context, dir string) error {
	path := filepath.Join(dir, "refusals.har")
	if err := v.run.sample(ctx, "har", path); err != nil {
		return err
	}
	out, err := v.run.inspect(ctx, path, "har", "--json")
	if err != nil {
		return err
	}
	e, err := out.Evidence()
	if err != nil {
		return err
	}
	file := func(name string, document []byte) (string, error) {
		path := filepath.Join(v.bench.Temp, name)
		return path, os.WriteFile(path, document, 0o600)
	}
	for i, c := range []struct{ name, old, with string }{
		{"nothing changed", "", ""},
		{"another count", `"total_records": 5`, `"total_records": 6`},
		{"another status", `"status": 404`, `"status": 200`},
		{"a redaction less", `"reason": "transport-credential"`, `"reason": "explicit-sensitive-value"`},
		{"a member more", `"authority": `, `"more": 1, "authority": `},
	} {
		document := bytes.Replace(out.Stdout, []byte(c.old), []byte(c.with), 1)
		if c.old != "" && bytes.Equal(document, out.Stdout) {
			return fmt.Errorf("the sample's Evidence has no %s", c.old)
		}
		path, err := file(fmt.Sprintf("inline-%d.json", i), document)
		if err != nil {
			return err
		}
		v.bench.Check("saved Evidence with "+c.name, func() error {
			out, err := v.run.look(ctx, path, `{"kind":"summary"}`)
			if err != nil {
				return err
			}
			if c.old == "" {
				_, err := out.Evidence()
				return explain(err, out)
			}
			return sameTampered(out)
		})
	}
	v.bench.Check("inline Evidence over the tool is the same view as retained", func() error { return v.inline(ctx, path, e, out.Stdout) })
	v.bench.Check("a reference to nothing", func() error {
		r, err := v.session.Call(ctx, viewTool, retained("ev_"+strings.Repeat("0", 64), `{"kind":"summary"}`))
		if err != nil {
			return err
		}
		said, err := r.Document()
		return errors.Join(err, sameCode(said, "evidence_integrity_mismatch", "missing"))
	})
	v.bench.Check("a reference on the command line, which retains nothing", func() error {
		out, err := v.run.run(ctx, "inspect-analysis-view", string(retained(e.ID, `{"kind":"summary"}`)), "--json")
		if err != nil {
			return err
		}
		return sameCode(out.Stdout, "evidence_integrity_mismatch", "missing")
	})
	v.bench.Check("limits on characters are from 4,000 to 5,000,000", func() error { return v.charBounds(ctx, e.ID) })
	v.bench.Check("a limit on characters is kept", func() error { return v.characters(ctx, e) })
	v.bench.Check("an API surface with declared values is refused", func() error {
		out, err := v.run.inspect(ctx, path, "har", "--json", "--sensitive-value", "something")
		if err != nil {
			return err
		}
		declared, err := file("declared.json", out.Stdout)
		if err != nil {
			return err
		}
		out, err = v.run.look(ctx, declared, `{"kind":"api-surface"}`)
		return errors.Join(err, sameCode(out.Stdout, "unsupported_target", "sensitive_values_unretained"))
	})
	for _, view := range []string{`{}`, `{"kind":"nothing"}`, `{"kind":"summary","more":1}`, `{"kind":"capture","offset":-1}`, `{"kind":"capture","limit":0}`, `{"kind":"qlog","facet":"traces"}`} {
		v.bench.Check("a view that is wrong: "+view, func() error {
			r, err := v.session.Call(ctx, viewTool, retained(e.ID, view))
			if err != nil {
				return err
			}
			said, err := r.Document()
			return errors.Join(err, sameCode(said, "invalid_request", ""))
		})
	}
	return nil
}

// sameTampered wants Evidence to be refused that is not what its name says.
func sameTampered(out product.Output) error {
	f, err := out.Failure()
	if err != nil {
		return err
	}
	if f.Code != "evidence_integrity_mismatch" && f.Code != "invalid_request" {
		return fmt.Errorf("code %s", f.Code)
	}
	return nil
}

// inline gives the tool the whole Evidence.
func (v *viewer) inline(ctx context.Context, path string, e *product.Evidence, document []byte) error {
	if _, err := v.session.Call(ctx, inspectTool, arguments(path, "har", nil)); err != nil {
		return err
	}
	const view = `{"kind":"capture","detail":"complete","offset":1,"limit":2}`
	a, err := v.session.Call(ctx, viewTool, retained(e.ID, view))
	if err != nil {
		return err
	}
	line, err := compact(document)
	if err != nil {
		return err
	}
	b, err := v.session.Call(ctx, viewTool, fmt.Appendf(nil, `{"source":{"kind":"inline","evidence":%s},"view":%s}`, line, view))
	if err != nil {
		return err
	}
	x, err := a.Document()
	if err != nil {
		return err
	}
	y, err := b.Document()
	if err != nil {
		return err
	}
	if a.IsError || b.IsError || !bytes.Equal(x, y) {
		return errors.New("another view")
	}
	return nil
}

// characters takes complete records under a limit that not all of them fit in.
func (v *viewer) characters(ctx context.Context, e *product.Evidence) error {
	const most = 9000
	seen, offset := 0, 0
	for pages := 0; pages < 20; pages++ {
		r, err := v.session.Call(ctx, viewTool, retained(e.ID, fmt.Sprintf(`{"kind":"capture","detail":"complete","offset":%d,"max_chars":%d}`, offset, most)))
		if err != nil {
			return err
		}
		text, err := r.Text()
		if err != nil {
			return err
		}
		if n := len(utf16.Encode([]rune(text))); n > most {
			return fmt.Errorf("%d characters", n)
		}
		page, err := readView(r)
		if err != nil {
			return err
		}
		seen += len(page.Items)
		if page.Coverage.Next == nil {
			if seen != len(e.Result.Records) || pages == 0 {
				return fmt.Errorf("%d records in %d pages", seen, pages+1)
			}
			return nil
		}
		offset = *page.Coverage.Next
	}
	return errors.New("the pages do not end")
}

// urlCapture is a HAR with URLs at which readers of them differ. It keeps the
// schema where it is not about URLs.
func urlCapture() string {
	uuid, hex := "01234567-89ab-CDEF-0123-456789abcdef", strings.Repeat("0a", 16)
	urls := []string{
		"https://a.example/", "https://a.example", "https://A.EXAMPLE:443/", "HTTPS://a.example/x", "http://a.example:80/x", "http://a.example:8080/x",
		"https://a.example/v1/items/1", "https://a.example/v1/items/22?q=1", "https://a.example/v1/items/333#f", "https://a.example/v1/items/4x",
		"https://a.example/v1/items/" + uuid, "https://a.example/v1/items/" + hex, "https://a.example/v1/items/" + hex + "0", "https://a.example/v1/items/" + hex[1:],
		"https://a.example/d/2024-02-29", "https://a.example/d/2023-02-29", "https://a.example/d/0000-01-01", "https://a.example/d/2024-2-9",
		"https://a.example/d/0001-01-01", "https://a.example/d/9999-12-31", "https://a.example/d/0000-12-31", "https://a.example/d/10000-01-01", "https://a.example/d/0004-02-29",
		"https://a.example/d/1900-02-29", "https://a.example/d/2000-02-29", "https://a.example/d/2024-04-31", "https://a.example/d/2024-13-01", "https://a.example/d/2024-00-10",
		"https://a.example/d/2024-12-00", "https://a.example/d/2024-12-32", "https://a.example/d/2024-1-010", "https://a.example/d/20240101", "https://a.example/d/-001-01-01",
		"https://a.example/v1/{numeric}", "https://a.example/v1/7", "https://a.example//7//", "https://a.example/a/../b/./7", "https://a.example/%2e%2E/7",
		"https://a.example/%37", "https://a.example/\u0661", "https://a.example/\u00e9/7", "https://b\u00fccher.example/7", "https://xn--bcher-kva.example/7",
		"https://[::1]/7", "https://[0:0:0:0:0:0:0:1]/7", "https://127.1/7", "https://0x7f.1/7", "https://a.example:99999/", "https://a.example:/7",
		"https:a.example/7", "https:/a.example/7", "https:///a.example/7", `https:\\a.example\7`, `https://a.example\7`, "//a.example/7", "/7", "a.example/7", "",
		"about:blank", "data:text/plain,7", "blob:https://a.example/7", "file:///7", "ws://a.example/7", "wss://a.example/7", "ftp://a.example/7", "chrome-extension://abc/7",
		"https://u@a.example/7", "https://u:p@a.example/7", "https://u:p@@a.example/7", "https://a.exa\tmple/7", "https://a.example/7\t8", " https://a.example/7", "https://a.example /7",
		"https://a.example/a?b/7", "https://a.example?7/8", "https://a.example#/7", "https://%61.example/7", "https://a_b.example/7", "https://a..example/7", "https://a.example./7",
	}
	statuses := []string{"200", "404", "0", "200"}
	mimes := []string{"text/html", "Text/HTML; charset=utf-8", "", "no type", "application/json"}
	var entries []string
	for i, u := range urls {
		text, err := json.Marshal(u)
		if err != nil {
			panic(err) // texts
		}
		method := []string{"GET", "POST", "get"}[i%7%3]
		entries = append(entries, fmt.Sprintf(`{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":%q,"url":%s,"httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},`+
			`"response":{"status":%s,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":%q},"redirectURL":"","headersSize":-1,"bodySize":0},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}`,
			method, text, statuses[i%len(statuses)], mimes[i%len(mimes)]))
	}
	entries = append(entries, `{"request":{"method":7,"url":"https://a.example/7"}}`, `{"request":[]}`, `{"response":{}}`, `{"request":{"url":"https://a.example/7"}}`, `{"request":{"method":"GET"}}`)
	return `{"log":{"version":"1.2","creator":{"name":"urls","version":"1"},"entries":[` + strings.Join(entries, ",") + `]}}`
}
