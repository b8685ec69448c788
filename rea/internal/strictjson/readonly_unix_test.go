//go:build unix

package strictjson

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A snapshot is mapped read-only: to write to it would end the process.
func TestReadOnlyMapping(t *testing.T) {
	for i, in := range []string{`{"a":[1,"x\n",{"b":null}],"c":"d"}`, `{"a":1,"a":2}`, `{"a":[1`} {
		path := filepath.Join(t.TempDir(), "in.json")
		if err := os.WriteFile(path, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		src, err := syscall.Mmap(int(file.Fd()), 0, len(in), syscall.PROT_READ, syscall.MAP_PRIVATE)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Munmap(src)
		v, err := Parse(src, 64)
		if valid := i == 0; (err == nil) != valid {
			t.Errorf("%s: %v", in, err)
		}
		AppendCanonical(nil, &v)
	}
}
