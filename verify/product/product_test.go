package product_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"rea.example/verify/product"
)

// exitStatus makes this test binary a product that prints its arguments and
// ends with that status.
const exitStatus = "REA_TEST_EXIT"

func TestMain(m *testing.M) {
	status := os.Getenv(exitStatus)
	if status == "" {
		os.Exit(m.Run())
	}
	fmt.Println(strings.Join(os.Args[1:], " "))
	fmt.Println("second line")
	fmt.Fprintln(os.Stderr, "complaint")
	var code int
	if _, err := fmt.Sscan(status, &code); err != nil {
		panic(err)
	}
	os.Exit(code)
}

func open(t *testing.T) *product.Product {
	t.Helper()
	t.Setenv(exitStatus, "0")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := product.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAProductIsKnownByWhatItSaysAndItsBytes(t *testing.T) {
	if p := open(t); p.Version != "version" || len(p.SHA256) != 64 {
		t.Errorf("%+v", p)
	}
	t.Setenv(exitStatus, "1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := product.Open(context.Background(), path); err == nil {
		t.Errorf("a program that cannot say its version is a product: %+v", p)
	}
}

func TestAStatusIsNoErrorOfTheRun(t *testing.T) {
	p := open(t)
	p.Env = []string{exitStatus + "=7"}
	out, err := p.Run(context.Background(), "a", "b")
	if err != nil || out.Exit != 7 || string(out.Stdout) != "a b\nsecond line\n" || string(out.Stderr) != "complaint\n" {
		t.Errorf("%+v, %v", out, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := p.Run(ctx, "a"); err == nil {
		t.Errorf("a run that did not take place: %+v", out)
	}
	p.Path += ".absent"
	if out, err := p.Run(context.Background(), "a"); err == nil {
		t.Errorf("a program that is not there: %+v", out)
	}
}

func TestDocumentsAreReadOnlyWhereTheyAreOne(t *testing.T) {
	const good = `{"evidence_id":"ev_1","normalized_result":{"total_records":3}}`
	if e, err := (product.Output{Stdout: []byte(good + "\n")}).Evidence(); err != nil || e.Result.TotalRecords != 3 {
		t.Errorf("%+v, %v", e, err)
	}
	for name, out := range map[string]product.Output{
		"another status":  {Exit: 1, Stdout: []byte(good)},
		"two documents":   {Stdout: []byte(good + good)},
		"text before it":  {Stdout: []byte("note\n" + good)},
		"nothing":         {},
		"no identifier":   {Stdout: []byte(`{"normalized_result":{}}`)},
		"another type":    {Stdout: []byte(`{"evidence_id":1}`)},
		"a cut document":  {Stdout: []byte(good[:len(good)-1])},
		"a failure in it": {Stdout: []byte(`{"code":"x"}`)},
	} {
		if e, err := out.Evidence(); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestAFailureSaysWhatToDo(t *testing.T) {
	const good = `{"code":"c","category":"k","message":"m","remediation":{"action":"a"},"details":{"issues":[{"path":["capture_path","/log"],"reason":"r"}]}}`
	f, err := product.Output{Exit: 1, Stdout: []byte(good)}.Failure()
	if err != nil {
		t.Fatal(err)
	}
	if pointer, ok := f.Pointer(); !ok || pointer != "/log" {
		t.Errorf("pointer %q, %t", pointer, ok)
	}
	for _, missing := range []string{`"code":"c",`, `"category":"k",`, `"message":"m",`, `"remediation":{"action":"a"},`} {
		if f, err := (product.Output{Exit: 1, Stdout: []byte(strings.Replace(good, missing, "", 1))}).Failure(); err == nil {
			t.Errorf("without %s: %+v", missing, f)
		}
	}
	for _, path := range []string{`["format"]`, `["capture_path"]`, `["capture_path",1]`, `[]`} {
		f, err := product.Output{Exit: 1, Stdout: []byte(strings.Replace(good, `["capture_path","/log"]`, path, 1))}.Failure()
		if err != nil {
			t.Fatal(err)
		}
		if pointer, ok := f.Pointer(); ok {
			t.Errorf("%s is a place in the capture: %q", path, pointer)
		}
	}
}

func TestAHeldProductStaysWhenTheFirstNameGoes(t *testing.T) {
	p, first := open(t), t.TempDir()
	p, err := p.Hold(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	held, err := p.Hold(context.Background(), t.TempDir())
	if err != nil || held.SHA256 != p.SHA256 || held.Path == p.Path {
		t.Fatalf("%+v, %v", held, err)
	}
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	if out, err := held.Run(context.Background(), "version"); err != nil || out.Exit != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	held.SHA256 = strings.Repeat("0", 64)
	if _, err := held.Hold(context.Background(), t.TempDir()); err == nil {
		t.Error("another program than the one that was built is held")
	}
}
