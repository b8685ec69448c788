package strictjson

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"rea.example/rea/internal/tree"
)

// capture makes a HAR of about 32 MiB whose bodies are of one kind.
func capture(body string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[`)
	text := string(AppendString(nil, body))
	for i := 0; b.Len() < 32<<20-len(text)-1024; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"startedDateTime":"2024-01-01T00:00:00.000Z","time":%d.345999999999549,"request":{"method":"GET","url":"https://example.test/api/%d","httpVersion":"HTTP/1.1","cookies":[],"headers":[{"name":"Accept","value":"*/*"}],"queryString":[],"headersSize":-1,"bodySize":0},`, i%100, i)
		fmt.Fprintf(&b, `"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[{"name":"Content-Type","value":"text/plain"}],"content":{"size":%d,"mimeType":"text/plain","text":%s},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0.25,"wait":11,"receive":1.25}}`, len(body), text)
	}
	b.WriteString("]}}")
	return b.Bytes()
}

var captures = []struct {
	name string
	body string
}{
	{"entries", strings.Repeat("x", 512)},
	{"json", strings.Repeat(`{"name":"value","list":[1,2,3]},`+"\n", 100)},
	{"binary", strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo5", 5000)},
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range captures {
		b.Run(c.name, func(b *testing.B) {
			src := capture(c.body)
			watch := []Path{{}, {"log"}, {"log", "version"}, {"log", "entries"}, {"log", "entries", "*"}}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				if err := Check(src, 64, watch, func(int, tree.Span) { n++ }); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(n-4), "records")
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range captures {
		b.Run(c.name, func(b *testing.B) {
			src := capture(c.body)
			records := recordSpans(b, src)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				var a Arena
				for _, s := range records {
					a.Reset()
					Build(src, s, &a)
				}
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	for _, c := range captures {
		b.Run(c.name, func(b *testing.B) {
			v, err := Parse(capture(c.body), 64)
			if err != nil {
				b.Fatal(err)
			}
			out := AppendCanonical(nil, &v)
			b.SetBytes(int64(len(out)))
			b.ReportAllocs()
			for b.Loop() {
				out = AppendCanonical(out[:0], &v)
			}
		})
	}
}

func BenchmarkIndent(b *testing.B) {
	for _, c := range captures {
		v, err := Parse(capture(c.body), 64)
		if err != nil {
			b.Fatal(err)
		}
		in := AppendCanonical(nil, &v)
		b.Run(c.name, func(b *testing.B) { indent(b, func() io.Reader { return bytes.NewReader(in) }, len(in)) })
		b.Run(c.name+"/streamed", func(b *testing.B) {
			indent(b, func() io.Reader { return io.MultiReader(bytes.NewReader(in)) }, len(in))
		})
	}
}

// Where there is little but tokens, every byte of them costs.
func BenchmarkIndentDense(b *testing.B) {
	in := []byte("[" + strings.Repeat(`{"a":[1,2,{}],"b":{"c":null,"d":true}},`, 1<<18) + "0]")
	indent(b, func() io.Reader { return bytes.NewReader(in) }, len(in))
}

func indent(b *testing.B, r func() io.Reader, size int) {
	b.SetBytes(int64(size))
	for b.Loop() {
		if err := Indent(io.Discard, r()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNumber(b *testing.B) {
	for _, in := range []string{"1234", "11.25", "12.345999999999549", "1e21"} {
		b.Run(in, func(b *testing.B) {
			var room [32]byte
			for b.Loop() {
				if Safe(in) {
					AppendNumber(room[:0], in)
				}
			}
		})
	}
}

func recordSpans(b *testing.B, src []byte) (records []tree.Span) {
	err := Check(src, 64, []Path{{"log", "entries", "*"}}, func(_ int, s tree.Span) { records = append(records, s) })
	if err != nil {
		b.Fatal(err)
	}
	return records
}
