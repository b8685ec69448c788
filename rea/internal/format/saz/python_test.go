package saz

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
)

// python runs a script with Python's own zipfile and expat: readers that share
// no code with ours. Without Python the test ends here, but not where CI=true.
func python(t *testing.T, script, input string, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("the second reading needs python3, and CI may not go without it")
		}
		t.Skip("no second reading: there is no python3")
	}
	var errs strings.Builder
	cmd := exec.Command(path, append([]string{"-I", "-c", script}, args...)...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out
}

const outlineScript = `
import sys, base64, json
from xml.parsers import expat
def read(src):
    out, depth = [], 0
    p = expat.ParserCreate()
    p.buffer_text, p.ordered_attributes = True, True
    def start(name, attrs):
        nonlocal depth
        depth += 1
        out.append(' (' + name + ''.join(' %s=%s' % (attrs[i], attrs[i+1]) for i in range(0, len(attrs), 2)))
    def end(name):
        nonlocal depth
        depth -= 1
        out.append(')')
    p.StartElementHandler, p.EndElementHandler = start, end
    p.CharacterDataHandler = lambda s: out.append(" '" + s + "'")
    p.CommentHandler = lambda s: depth and out.append(' <!' + s + '>')
    p.ProcessingInstructionHandler = lambda t, s: depth and out.append(' <?' + t + ' ' + s + '>')
    try:
        p.Parse(src, True)
    except (expat.ExpatError, LookupError, ValueError):
        return None
    return ''.join(out)[1:]
json.dump([read(base64.b64decode(l)) for l in sys.stdin], sys.stdout)
`

// What expat makes of a document is what we make of it, and what it refuses we
// refuse.
func TestXMLAgainstExpat(t *testing.T) {
	var sources []string
	for _, c := range documents {
		sources = append(sources, c.src)
	}
	for _, c := range badDocuments {
		sources = append(sources, c.src)
	}
	sources = append(sources, mutants(20_000)...)
	var input strings.Builder
	for _, s := range sources {
		fmt.Fprintln(&input, base64.StdEncoding.EncodeToString([]byte(s)))
	}
	var want []*string
	if err := json.Unmarshal(python(t, outlineScript, input.String()), &want); err != nil || len(want) != len(sources) {
		t.Fatal(len(want), err)
	}
	refused := 0
	for i, src := range sources {
		got, p := readXML(src)
		switch {
		case p != nil && (p.Kind != format.Malformed || want[i] == nil):
			refused++
		case p != nil:
			t.Errorf("%.100q: %v, expat reads %s", src, p, *want[i])
		case want[i] == nil:
			t.Errorf("%.100q is read as %s, expat refuses it", src, got)
		case got != *want[i] && !strings.Contains(got, "HIDDEN"):
			t.Errorf("%.100q is\n  %q, expat reads\n  %q", src, got, *want[i])
		}
	}
	t.Logf("%d documents, %d refused", len(sources), refused)
}

const membersScript = `
import sys, json, zipfile, hashlib
def read(path):
    with zipfile.ZipFile(path) as z:
        rows = []
        for i in z.infolist():
            name = i.orig_filename
            if not i.flag_bits & 0x800:
                name = name.encode('cp437').decode('utf-8')
            data = z.read(i)
            rows.append({'name': name, 'bytes': i.file_size, 'compressed_bytes': i.compress_size, 'crc32': '%08x' % i.CRC,
                         'method': {0: 'store', 8: 'deflate'}[i.compress_type], 'content': data.hex()})
        return {'comment': z.comment.decode('utf-8') or None, 'members': rows}
json.dump([read(p) for p in sys.argv[1:]], sys.stdout)
`

type secondReading struct {
	Comment *string
	Members []struct {
		Name, CRC32, Method, Content string
		Bytes                        int
		Compressed                   int `json:"compressed_bytes"`
	}
}

// Every archive of the corpus, and the sample, hold for Python's zipfile what
// they hold for us: the same inventory, and the same octets in every member.
func TestArchivesAgainstZipfile(t *testing.T) {
	archives := map[string][]byte{"the sample": sample, "a descriptor": one(func(e *entry) { e.descriptor = true }),
		"Zip64":        archiveFile{zip64: true, entries: []entry{{name: "raw/ü_c.txt", data: plainRequest}, {name: "x", store: true, data: "y"}}}.bytes(),
		"out of order": outOfOrder()}
	for _, row := range corpus(t) {
		if row.records >= 0 {
			archives[row.name] = row.src
		}
	}
	dir := t.TempDir()
	var names, paths []string
	for name, src := range archives {
		names, paths = append(names, name), append(paths, filepath.Join(dir, fmt.Sprint(len(paths))))
		if err := os.WriteFile(paths[len(paths)-1], src, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var second []secondReading
	if err := json.Unmarshal(python(t, membersScript, "", paths...), &second); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		ours, err := second[i].against(archives[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if ours == 0 {
			t.Errorf("%s: no octets were compared", name)
		}
	}
}

// against reads the archive and counts the members whose octets were compared.
func (s secondReading) against(src []byte) (compared int, err error) {
	octets := octetsSink{}
	if err := (Format{}).Read(format.Input{Source: src}, octets); err != nil {
		return 0, err
	}
	inventory := octets[""]
	for _, m := range s.Members {
		role := roleOf(m.Name)
		row, _ := json.Marshal(map[string]any{"name": m.Name, "bytes": m.Bytes, "compressed_bytes": m.Compressed, "crc32": m.CRC32,
			"method": m.Method, "role": role.name, "session": role.session})
		if !strings.Contains(inventory, string(row)) {
			return 0, fmt.Errorf("the inventory has no %s", row)
		}
		if got, ok := octets[m.Name]; ok {
			compared++
			if hex.EncodeToString([]byte(got)) != m.Content {
				return 0, fmt.Errorf("%s has other octets", m.Name)
			}
		} else if role.session != nil && role.name != "metadata" {
			return 0, fmt.Errorf("%s is not in a record", m.Name)
		}
	}
	return compared, nil
}

type roleAndSession struct {
	name    string
	session any
}

// roleOf is a plain reading of a member's name.
func roleOf(name string) roleAndSession {
	stem, ok := strings.CutPrefix(name, "raw/")
	if i := strings.LastIndexByte(stem, '_'); ok && i > 0 {
		if r := map[string]string{"_c.txt": "request", "_s.txt": "response", "_m.xml": "metadata", "_w.txt": "websocket", "_g.txt": "grpc"}[stem[i:]]; r != "" {
			return roleAndSession{r, stem[:i]}
		}
	}
	return roleAndSession{"other", nil}
}
