package captures_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/captures"
)

const head = "kind\tlocal_file\tsha256\tbytes\texpected\n"

// hello is the SHA-256 of "hello".
const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

func folder(t *testing.T, table string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{captures.Manifest: table, "one.har": "hello"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadGivesCheckedFilesOfOneKind(t *testing.T) {
	dir := folder(t, head+
		"har\tone.har\t"+hello+"\t5\t\"REJECT \"\"quoted\"\"\"\n"+
		"saz\tabsent.saz\tx\t1\t-\n")
	files, err := captures.Read(dir, "har")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Name != "one.har" || files[0].Bytes != 5 || files[0].Note != `REJECT "quoted"` {
		t.Errorf("files %+v", files)
	}
	if files[0].Path != filepath.Join(dir, "one.har") {
		t.Errorf("path %q", files[0].Path)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ table, want string }{
		"another digest":    {head + "har\tone.har\t" + strings.Repeat("0", 64) + "\t5\t\n", "sha256"},
		"another size":      {head + "har\tone.har\t" + hello + "\t6\t\n", "5 bytes"},
		"a missing file":    {head + "har\ttwo.har\t" + hello + "\t5\t\n", "two.har"},
		"a path outside":    {head + "har\t../one.har\t" + hello + "\t5\t\n", "outside"},
		"a missing column":  {"kind\tlocal_file\tbytes\nhar\tone.har\t5\n", "sha256"},
		"a size that is no": {head + "har\tone.har\t" + hello + "\tfive\t\n", "not a number"},
		"an empty table":    {"", "column names"},
	} {
		if _, err := captures.Read(folder(t, c.table), "har"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFolderFindsByExtension(t *testing.T) {
	files, err := captures.Folder(folder(t, ""), "har", ".har")
	if err != nil || len(files) != 1 || files[0].SHA256 != hello || files[0].Kind != "har" {
		t.Errorf("files %+v, %v", files, err)
	}
}
