package views_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rea.example/verify/attest"
	"rea.example/verify/report"
	"rea.example/verify/views"
)

// run is a folder with the finished reports of lanes "a" and "b", or of others.
func run(t *testing.T, verdict report.Verdict, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if len(names) == 0 {
		names = []string{"a", "b"}
	}
	for _, name := range names {
		r := report.New("verify:" + name)
		r.Verdict = verdict
		r.Product = &report.Product{Version: "rea v1", SHA256: strings.Repeat("0", 64)}
		r.Pins = []report.Pin{{Name: "first", Value: names[0]}}
		r.Checks = []report.Check{{Name: "one", Verdict: verdict}}
		f, err := report.Create(filepath.Join(dir, name+".json"), r)
		if err == nil {
			_, err = f.Finish(r, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func keys(t *testing.T) (attest.Key, string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte, err error) string {
		path := filepath.Join(dir, name)
		if err == nil {
			err = os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	key, err := attest.OpenKey(write("key.pem", "PRIVATE KEY", der, err))
	if err != nil {
		t.Fatal(err)
	}
	der, err = x509.MarshalPKIXPublicKey(public)
	return key, write("key.pub.pem", "PUBLIC KEY", der, err)
}

func TestEveryViewIsWrittenAndTheTerminalShowsTheTable(t *testing.T) {
	out := t.TempDir()
	o := views.Options{
		Path: run(t, report.Failed), Before: run(t, report.Passed), HTML: filepath.Join(out, "page.html"),
		JUnit: filepath.Join(out, "junit.xml"), Markdown: filepath.Join(out, "summary.md"),
	}
	var b bytes.Buffer
	if err := views.Show(context.Background(), &b, o); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{o.HTML: "All 2 lanes failed", o.JUnit: "<testsuites>", o.Markdown: "## ✗ All 2 lanes failed"} {
		if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	for _, want := range []string{"a     failed", "fails now: b, one", "All 2 lanes failed.\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestTheTerminalShowsAllThatChanged(t *testing.T) {
	var b bytes.Buffer
	o := views.Options{Path: run(t, report.Passed, "b", "c"), Before: run(t, report.Failed, "a", "b")}
	if err := views.Show(context.Background(), &b, o); err != nil {
		t.Fatal(err)
	}
	want := `lane verdict checks time before
b passed 1 passed N ms failed, N ms
c passed 1 passed N ms new
mended: b, one
another version: b, first: a → b
not part of this run: a, then failed in N ms
All 2 lanes passed.
`
	got := regexp.MustCompile(` +`).ReplaceAllString(b.String(), " ")
	if got = regexp.MustCompile(`\d+ ms`).ReplaceAllString(got, "N ms"); got != want {
		t.Errorf("it shows\n%s", got)
	}
}

// TestNoNameMakesALine quotes names that would command a CI system which reads what
// a job prints.
func TestNoNameMakesALine(t *testing.T) {
	const forged = "a\n::error file=x::forged\r\n\t::warning::forged"
	write := func(lane string, v report.Verdict, pin string) string {
		dir := t.TempDir()
		r := report.New(lane)
		r.Verdict = v
		r.Pins = []report.Pin{{Name: forged, Value: pin}}
		r.Checks = []report.Check{{Name: forged, Verdict: v}}
		f, err := report.Create(filepath.Join(dir, "r.json"), r)
		if err == nil {
			_, err = f.Finish(r, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	now, key := write("verify:"+forged, report.Failed, forged), filepath.Join(t.TempDir(), "absent.pem")
	for _, o := range []views.Options{
		{Path: now, Before: write("verify:"+forged, report.Passed, "1"), Markdown: filepath.Join(t.TempDir(), "summary.md")},
		{Path: now, Before: write("verify:other"+forged, report.Passed, "1")},
		{Path: now, Key: key},
	} {
		var b bytes.Buffer
		if err := views.Show(context.Background(), &b, o); err != nil {
			b.WriteString(err.Error())
		}
		if o.Markdown != "" {
			data, err := os.ReadFile(o.Markdown)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
		if !strings.Contains(b.String(), `\n::error`) && !strings.Contains(b.String(), `\\n\:\:error`) {
			t.Errorf("what is quoted is not there:\n%s", b.String())
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("a line of its own: %s", line)
			}
		}
	}
}

func TestNoViewIsWrittenOfReportsThatNobodyVouchesFor(t *testing.T) {
	dir := run(t, report.Passed)
	key, public := keys(t)
	page := filepath.Join(t.TempDir(), "page.html")
	show := func() (string, error) {
		var b bytes.Buffer
		err := views.Show(context.Background(), &b, views.Options{Path: dir, Key: public, HTML: page})
		return b.String(), err
	}
	if _, err := key.Sign(context.Background(), filepath.Join(dir, "a.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := show(); err == nil || !strings.Contains(err.Error(), "b: ") {
		t.Errorf("one report of two is not attested: %v", err)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written all the same")
	}
	if _, err := key.Sign(context.Background(), filepath.Join(dir, "b.json")); err != nil {
		t.Fatal(err)
	}
	if out, err := show(); err != nil || !strings.Contains(out, "b: attested, PASSED") {
		t.Errorf("%s, %v", out, err)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

func TestHereWantsAKey(t *testing.T) {
	if err := views.Show(context.Background(), new(bytes.Buffer), views.Options{Path: run(t, report.Passed), Here: true}); err == nil {
		t.Error("what nobody vouches for was looked up")
	}
}
