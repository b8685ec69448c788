package speed

import (
	"archive/zip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

// archive is a Fiddler archive: so many sessions whose members inflate to so many
// bytes, or a few less.
type archive struct {
	sessions, inflated int
}

// fullArchive inflates to what the product will inflate.
var fullArchive = archive{sessions: 10_000, inflated: captureBytes}

// create writes the archive.
func (a archive) create(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	err = a.write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	return nil
}

func (a archive) write(w io.Writer) error {
	z := zip.NewWriter(w)
	random := rand.New(rand.NewPCG(uint64(a.sessions), uint64(a.inflated)))
	if err := add(z, "[Content_Types].xml", `<?xml version="1.0" encoding="utf-8" ?><Types xmlns="x"><Default Extension="htm" ContentType="text/html" /></Types>`); err != nil {
		return err
	}
	for n := 1; n <= a.sessions; n++ {
		request := fmt.Sprintf("GET https://host.example/r/%05d HTTP/1.1\r\nHost: host.example\r\nAccept: */*\r\nCookie: sid=0123456789abcdef\r\nUser-Agent: rea bench\r\n\r\n", n)
		metadata := fmt.Sprintf("<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<Session SID=\"%d\" BitFlags=\"0\">\r\n"+
			"  <SessionTimers ClientConnected=\"2024-01-01T00:00:00.0000000+00:00\" ServerDoneResponse=\"2024-01-01T00:00:00.2000000+00:00\" />\r\n  <PipeInfo />\r\n"+
			"  <SessionFlags>\r\n    <SessionFlag N=\"x-clientport\" V=\"%d\" />\r\n    <SessionFlag N=\"x-hostip\" V=\"203.0.113.7\" />\r\n  </SessionFlags>\r\n</Session>\r\n", n, 50_000+n%9000)
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: seen=1\r\n\r\n"
		response := head + plain(random, a.inflated/a.sessions-len(request)-len(metadata)-len(head)-1)
		for _, m := range []struct{ end, content string }{{"c.txt", request}, {"m.xml", metadata}, {"s.txt", response}} {
			if err := add(z, fmt.Sprintf("raw/%05d_%s", n, m.end), m.content); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

// plain is text without the escapes of JSON, of so many bytes.
func plain(random *rand.Rand, size int) string {
	s := strings.NewReplacer(`\"`, `"`, `\n`, "\n").Replace(text(random, size))
	return s + strings.Repeat(".", size-len(s))
}

func add(z *zip.Writer, name, content string) error {
	w, err := z.Create(name)
	if err == nil {
		_, err = io.WriteString(w, content)
	}
	return err
}
