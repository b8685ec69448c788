package speed

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// captureBytes is the largest capture that the product reads.
const captureBytes = 32 << 20

// shape is one kind of capture.
type shape struct {
	name    string
	limit   int  // bytes of the file; entries are added while they fit
	entries int  // at most; 0 for no other bound than the limit
	body    int  // bytes of each body, as the source spells it
	base64  bool // body is base64 of random bytes, else escaped text
	headers int  // on each side of each entry
}

// shapes are the captures of the comparison. The small bodies go with entries as
// short as the format allows: 34,000 of them have to fit.
var shapes = []shape{
	{name: "4 KB text bodies", limit: captureBytes, body: 4096, headers: 12},
	{name: "512 B text bodies", limit: captureBytes, entries: 34000, body: 512},
	{name: "200 KB base64 bodies", limit: captureBytes, body: 200_000, base64: true, headers: 12},
}

// small is a capture of everyday size, for the cost of starting at all.
var small = shape{name: "100 KB", limit: 100_000, body: 2048, headers: 12}

// create writes the capture to path and gives its number of entries.
func (s shape) create(path string) (entries int, err error) {
	return create(path, s.write)
}

// write gives the same bytes every time: the random source is seeded by the
// shape alone.
func (s shape) write(w io.Writer) (entries int, err error) {
	const (
		head = `{"log":{"version":"1.2","creator":{"name":"rea bench","version":"1"},"entries":[`
		tail = `]}}`
	)
	random := rand.New(rand.NewPCG(uint64(s.body), uint64(s.headers)))
	written := len(head) + len(tail)
	if _, err := io.WriteString(w, head); err != nil {
		return 0, err
	}
	for s.entries == 0 || entries < s.entries {
		entry := s.entry(random, entries)
		if entries > 0 {
			entry = "," + entry
		}
		if written += len(entry); written > s.limit {
			break
		}
		if _, err := io.WriteString(w, entry); err != nil {
			return entries, err
		}
		entries++
	}
	_, err = io.WriteString(w, tail)
	return entries, err
}

func (s shape) entry(random *rand.Rand, n int) string {
	headers := s.headerList(random)
	body, encoding := text(random, s.body), ""
	if s.base64 {
		raw := make([]byte, s.body/4*3)
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		body, encoding = base64.StdEncoding.EncodeToString(raw), `"encoding":"base64",`
	}
	return fmt.Sprintf(`{"startedDateTime":"2024-01-01T00:00:00.000Z","time":%d.5,`+
		`"request":{"method":"GET","url":"https://host.example/r/%d","httpVersion":"HTTP/1.1","cookies":[],"headers":[%s],"queryString":[],"headersSize":-1,"bodySize":0},`+
		`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[%s],"content":{"size":%d,"mimeType":"text/html",%s"text":"%s"},"redirectURL":"","headersSize":-1,"bodySize":%d},`+
		`"cache":{},"timings":{"send":0,"wait":1,"receive":2}}`,
		n%100, n, headers, headers, s.body, encoding, body, s.body)
}

func (s shape) headerList(random *rand.Rand) string {
	list := make([]string, s.headers)
	for i := range list {
		list[i] = fmt.Sprintf(`{"name":"x-header-%d","value":"%x"}`, i, random.Uint64())
	}
	if len(list) > 0 { // something to hide
		list[0] = `{"name":"cookie","value":"sid=0123456789abcdef; theme=dark"}`
	}
	return strings.Join(list, ",")
}

// pieces look like markup as JSON spells it: escapes now and then, as in life.
var pieces = []string{"<div class=\\\"a\\\">", "lorem ", "ipsum ", "dolor ", "sit amet, ", "</div>\\n", "über ", "1234567 "}

func text(random *rand.Rand, size int) string {
	var b strings.Builder
	for {
		piece := pieces[random.IntN(len(pieces))]
		if b.Len()+len(piece) > size {
			break
		}
		b.WriteString(piece)
	}
	b.WriteString(strings.Repeat(".", size-b.Len()))
	return b.String()
}
