package judge

import (
	"os"
	"path/filepath"
	"testing"
)

func TestABatchIsBounded(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	if err := os.WriteFile(small, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(batchBytes); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, c := range []struct {
		paths []string
		want  int
	}{
		{[]string{small, small, large, small}, 2},
		{[]string{large, small}, 1},
		{[]string{small}, 1},
	} {
		if n, err := batch(c.paths); err != nil || n != c.want {
			t.Errorf("%d of %d files, %v; expected %d", n, len(c.paths), err, c.want)
		}
	}
	if _, err := batch([]string{filepath.Join(dir, "absent")}); err == nil {
		t.Error("an absent file is in a batch")
	}
}

func TestAnswersAreAllThereAndRight(t *testing.T) {
	lines, err := requests("safe", []string{"1", `"`})
	if err != nil || string(lines) != `{"input":"1","op":"safe"}`+"\n"+`{"input":"\"","op":"safe"}`+"\n" {
		t.Errorf("%s, %v", lines, err)
	}
	const one, fault = `{"ok":true,"result":true}` + "\n", `{"ok":false,"error":"no"}` + "\n"
	if a, err := readAnswers([]byte(one+one), 2); err != nil || string(a[1]) != "true" {
		t.Errorf("%s, %v", a, err)
	}
	for _, out := range []string{one, one + one + one, one + fault, one + "x"} {
		if _, err := readAnswers([]byte(out), 2); err == nil {
			t.Errorf("%q answers two questions", out)
		}
	}
}
