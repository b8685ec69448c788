package mcpserver

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var (
	digests    = regexp.MustCompile(`[0-9a-f]{64}`)
	evidenceID = regexp.MustCompile(`ev_[0-9a-f]{64}`)
)

// TestConversations plays the files of testdata: what a client sends, a line at
// a time, and what the server answers to each before the next is sent. Lines
// that begin with # are said to nobody.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			private(t)
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var client, want string
			for _, f := range a.Files {
				switch f.Name {
				case "client":
					client = string(f.Data)
				case "server":
					want = string(f.Data)
				default:
					if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			c := begin(t, serving(t))
			var got strings.Builder
			id := "" // of the first Evidence that is given out
			for line := range strings.Lines(client) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(line, "#") || line == "" {
					continue
				}
				line = strings.ReplaceAll(line, "$DIR", dir)
				line = strings.ReplaceAll(line, "$DEEP", strings.Repeat("[", 1100)+strings.Repeat("]", 1100))
				line = strings.ReplaceAll(line, "$ID", id)
				c.send(line)
				if strings.Contains(line, `"method":"notifications/`) || !strings.Contains(line, `"method"`) && strings.Contains(line, `"result"`) {
					continue
				}
				for {
					m := c.read()
					if m.Params.Progress > 1 {
						continue // whether there is time for more depends on the machine
					}
					text := strings.ReplaceAll(m.wire, dir, "$DIR")
					got.WriteString(digests.ReplaceAllString(text, "HEX") + "\n")
					if m.Method == "" {
						if found, ok := m.at("evidence_id").(string); ok && id == "" {
							id = found
						}
						break
					}
				}
			}
			if *update {
				for i := range a.Files {
					if a.Files[i].Name == "server" {
						a.Files[i].Data = []byte(got.String())
					}
				}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				g, w := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
				for i := range max(len(g), len(w)) {
					if i >= len(g) || i >= len(w) || g[i] != w[i] {
						t.Errorf("answer %d:\n%s\nwant\n%s", i, at(g, i), at(w, i))
					}
				}
			}
		})
	}
}

// TestHandshakes: every version that shakes hands is answered with itself.
func TestHandshakes(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		c := begin(t, serving(t))
		m := c.ask("initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
		if !strings.Contains(m.wire, `"protocolVersion":"`+version+`"`) {
			t.Errorf("%s: %s", version, m.wire)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func TestLongLines(t *testing.T) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	wire := newWire(in, out, 100, context.Background().Done())
	answers := make(chan string, 10)
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := r.Read(b)
			if err != nil {
				return
			}
			answers <- string(b[:n])
		}
	}()
	go func() {
		long := `{"jsonrpc":"2.0","id":7,"method":"x","params":{"secret":"` + strings.Repeat("s", 200000) + `"}}` + "\n"
		exact := `{"jsonrpc":"2.0","id":8,"method":"` + strings.Repeat("m", 100-len(`{"jsonrpc":"2.0","id":8,"method":""}`)) + `"}` + "\n"
		io.WriteString(w, long+exact+strings.Replace(exact, "m", "mm", 1)+`{"jsonrpc":"2.0","id":9,"method":"last"}`)
		w.Close()
	}()
	for _, want := range []string{"8", "9"} {
		m, err := wire.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if b := encoded(t, m); !strings.Contains(b, `"id":`+want) {
			t.Errorf("%s, want %s", b, want)
		}
	}
	for _, want := range []string{"7", "8"} {
		if a := <-answers; a != `{"id":`+want+`,"jsonrpc":"2.0","error":{"code":-32600,"message":"the message is too long"}}`+"\n" {
			t.Errorf("%s", a)
		}
	}
	wire.Close() // the answers to 8 and 9 will not come
	if _, err := wire.Read(t.Context()); err != io.EOF {
		t.Error(err)
	}
}

func TestIdentifierOfWhatCannotBeRead(t *testing.T) {
	long := strings.Repeat("1", longestID)
	for text, want := range map[string]string{
		`{"id":7,`:                  `7`,
		`{"id" : -12 }`:             `-12`,
		`{"a":{"id":1},"id":"x y"`:  `"x y"`,
		`{"a":["id",2],"id":3,`:     `3`,
		`{"a":"id","b":[[[`:         `null`,
		`{"id":`:                    `null`,
		`{"id":7`:                   `null`, // it may go on
		`{"id":7.5,`:                `null`,
		`{"id":07,`:                 `null`,
		`{"id":1-2,`:                `null`,
		`{"id":[7],`:                `null`,
		`{"id":null,`:               `null`,
		`{"id":"a\"b",`:             `null`,
		`{"id":"` + "\u00e9" + `",`: `null`,
		`{"id":"open`:               `null`,
		`{"a\":1,"id":5,`:           `null`,
		`["id",7]`:                  `null`,
		`id`:                        `null`,
		`{"id":` + long + `,`:       long,
		`{"id":1` + long + `,`:      `null`,
		`{"x":"` + strings.Repeat("y", idWindow) + `","id":7}`: `null`,
	} {
		if got := string(idOf([]byte(text))); got != want {
			t.Errorf("%.60s: %.60s, want %.60s", text, got, want)
		}
	}
}

func FuzzIdentifier(f *testing.F) {
	f.Add([]byte(`{"a":["id",2],"id":3,`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if id := idOf(text); string(id) != "null" && !strings.Contains(string(text), string(id)) {
			t.Errorf("%q has no %q", text, id)
		}
	})
}
