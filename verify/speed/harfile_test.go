package speed

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestCapturesAreValidWithinTheLimitAndTheSameEveryTime(t *testing.T) {
	for _, s := range append([]shape{small}, shapes...) {
		t.Run(s.name, func(t *testing.T) {
			var once, twice bytes.Buffer
			entries, err := s.write(&once)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.write(&twice); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
				t.Errorf("two writings differ, %v", err)
			}
			if once.Len() > s.limit || once.Len() < s.limit-s.limit/20 {
				t.Errorf("%d bytes with a limit of %d", once.Len(), s.limit)
			}
			if s.entries != 0 && entries != s.entries {
				t.Errorf("only %d of %d entries fit", entries, s.entries)
			}
			var document struct {
				Log struct {
					Entries []struct {
						Response struct {
							Content struct{ Text, Encoding string }
						}
					}
				}
			}
			if err := json.Unmarshal(once.Bytes(), &document); err != nil {
				t.Fatal(err)
			}
			if len(document.Log.Entries) != entries {
				t.Errorf("%d entries, said %d", len(document.Log.Entries), entries)
			}
			content := document.Log.Entries[0].Response.Content
			if s.base64 != (content.Encoding == "base64") || s.base64 && len(content.Text) != s.body {
				t.Errorf("body of %d bytes, encoding %q", len(content.Text), content.Encoding)
			}
		})
	}
}

func TestFloorReadsAndWritesAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	capture, output, copied := filepath.Join(dir, "c"), filepath.Join(dir, "o"), filepath.Join(dir, "copy")
	for _, path := range []string{capture, output} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if d, err := floor(capture, output, copied); err != nil || d <= 0 {
		t.Errorf("floor %v, %v", d, err)
	}
	if _, err := os.Stat(copied); err == nil {
		t.Error("the copy is still there")
	}
}
