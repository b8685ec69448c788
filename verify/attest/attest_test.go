package attest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"rea.example/corpora"
	"rea.example/verify/report"
	"rea.example/verify/results"
)

const layers = 3

func hexOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// tested is a report of a lane that ran on an image and on a corpus.
func tested() report.Report {
	r := report.New("verify:web:test")
	r.Started = time.Date(2031, 3, 4, 5, 6, 7, 0, time.UTC)
	r.Verdict = report.Passed
	r.Product = &report.Product{Version: "rea v1.2.3", SHA256: hexOf("the executable")}
	image := report.Pin{Name: "image mitmdump", Value: "sha256:" + hexOf("image")}
	for i := range layers {
		image.Digests = append(image.Digests, "sha256:"+hexOf(strings.Repeat("layer", i+1)))
	}
	commit := strings.Repeat("0123456789", 4)
	r.Pins = []report.Pin{
		{Name: "engine", Value: "an engine"}, image,
		{Name: "corpus forest", Value: commit, Digests: []string{"gitCommit:" + commit}},
	}
	r.Checks = []report.Check{{Name: "one", Verdict: report.Passed}, {Name: "two", Verdict: report.Passed}}
	return r
}

// bench is a folder with a finished report and two pairs of keys.
type bench struct {
	dir, report    string
	key, public    string
	stranger, none string // another pair: private, public
}

func setup(t *testing.T, r report.Report) bench {
	t.Helper()
	dir := t.TempDir()
	b := bench{dir: dir, report: filepath.Join(dir, "web-test.json")}
	f, err := report.Create(b.report, r)
	if err == nil {
		_, err = f.Finish(r, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.key, b.public = pair(t, dir, "ours")
	b.stranger, b.none = pair(t, dir, "theirs")
	return b
}

func pair(t *testing.T, dir, name string) (private, public string) {
	t.Helper()
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, dir, name+".pem", "PRIVATE KEY", priv), write(t, dir, name+".pub.pem", "PUBLIC KEY", pub)
}

func write(t *testing.T, dir, name, kind string, key any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if kind == "PRIVATE KEY" {
		der, err = x509.MarshalPKCS8PrivateKey(key)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (b bench) sign(t *testing.T) string {
	t.Helper()
	key, err := OpenKey(b.key)
	if err != nil {
		t.Fatal(err)
	}
	path, err := key.Sign(context.Background(), b.report)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// change rewrites a file.
func change(t *testing.T, path string, how func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	next := how(data)
	if bytes.Equal(data, next) {
		t.Fatal("nothing was changed")
	}
	if err := os.WriteFile(path, next, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAnAttestedReportIsChecked(t *testing.T) {
	b := setup(t, tested())
	path := b.sign(t)
	if path != filepath.Join(b.dir, "web-test.intoto.jsonl") {
		t.Errorf("the attestation is %s", path)
	}
	s, err := Check(context.Background(), b.report, b.public)
	if err != nil {
		t.Fatal(err)
	}
	if s.Type != statementType || s.PredicateType != predicateType || s.Predicate.Result != "PASSED" || len(s.Predicate.PassedTests) != 2 ||
		len(s.Predicate.Configuration) != layers+1 || len(s.Subject) != 2 {
		t.Errorf("%+v", s)
	}
	line, _ := os.ReadFile(path)
	if bytes.Count(line, []byte("\n")) != 1 || !bytes.HasSuffix(line, []byte("\n")) {
		t.Error("not one line")
	}
}

func TestAnAttestationIsMadeOnce(t *testing.T) {
	b := setup(t, tested())
	b.sign(t)
	key, _ := OpenKey(b.key)
	if _, err := key.Sign(context.Background(), b.report); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
}

// TestWhateverIsChangedAfterwardsIsNoticed changes files without the key.
func TestWhateverIsChangedAfterwardsIsNoticed(t *testing.T) {
	replace := func(a, b string) func([]byte) []byte {
		return func(d []byte) []byte { return bytes.Replace(d, []byte(a), []byte(b), 1) }
	}
	// payload changes the signed statement inside the envelope.
	payload := func(a, b string) func([]byte) []byte {
		return func(d []byte) []byte {
			var e dsse.Envelope
			if err := json.Unmarshal(d, &e); err != nil {
				t.Fatal(err)
			}
			body, err := e.DecodeB64Payload()
			if err != nil || !bytes.Contains(body, []byte(a)) {
				t.Fatalf("%v in %s", err, body)
			}
			e.Payload = base64.StdEncoding.EncodeToString(bytes.Replace(body, []byte(a), []byte(b), 1))
			d, _ = json.Marshal(e)
			return d
		}
	}
	const unsigned = "the key did not sign this"
	for name, c := range map[string]struct {
		report, envelope func([]byte) []byte
		want             string
	}{
		"report: a verdict": {report: replace(`"one",
      "verdict": "passed"`, `"one",
      "verdict": "unavailable"`), want: "the report is not"},
		"report: white space":       {report: func(d []byte) []byte { return append(d, '\n') }, want: "the report is not"},
		"report: the product":       {report: replace(hexOf("the executable"), hexOf("another")), want: "the product in the report is not"},
		"report: a layer":           {report: replace(hexOf("layerlayer"), hexOf("another")), want: "image mitmdump is not"},
		"report: a commit":          {report: replace("gitCommit:0", "gitCommit:f"), want: "corpus forest is not"},
		"statement: the report":     {envelope: payload(`"sha256":"`, `"sha256":"0`), want: unsigned},
		"statement: the product":    {envelope: payload(hexOf("the executable"), hexOf("another")), want: unsigned},
		"statement: a layer":        {envelope: payload(hexOf("layer"), hexOf("another")), want: unsigned},
		"statement: a commit":       {envelope: payload(`"gitCommit":"0`, `"gitCommit":"f`), want: unsigned},
		"statement: the result":     {envelope: payload("PASSED", "WARNED"), want: unsigned},
		"envelope: type of payload": {envelope: replace("vnd.in-toto+json", "vnd.in-toto"), want: unsigned},
		"envelope: no signature": {envelope: func(d []byte) []byte {
			return []byte(`{"payloadType":"` + payloadType + `","payload":"e30=","signatures":[]}`)
		}, want: "the key did not sign"},
		"envelope: not JSON": {envelope: func(d []byte) []byte { return d[1:] }, want: "no envelope"},
		"envelope: empty":    {envelope: func([]byte) []byte { return nil }, want: "no envelope"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, tested())
			path := b.sign(t)
			if c.report != nil {
				change(t, b.report, c.report)
			} else {
				change(t, path, c.envelope)
			}
			if _, err := Check(context.Background(), b.report, b.public); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAnotherKeyIsNoKey(t *testing.T) {
	b := setup(t, tested())
	path := b.sign(t)
	if _, err := Check(context.Background(), b.report, b.none); err == nil {
		t.Error("a stranger's key opens it")
	}
	// Not even where the envelope claims the stranger's key id, or none.
	for _, id := range []string{"", mustID(t, b.none)} {
		change(t, path, func(d []byte) []byte {
			var e dsse.Envelope
			if err := json.Unmarshal(d, &e); err != nil {
				t.Fatal(err)
			}
			e.Signatures[0].KeyID = id
			d, _ = json.Marshal(e)
			return d
		})
		if _, err := Check(context.Background(), b.report, b.none); err == nil {
			t.Errorf("a stranger's key opens it under the id %q", id)
		}
	}
}

func mustID(t *testing.T, path string) string {
	t.Helper()
	public, err := openPublic(path)
	if err != nil {
		t.Fatal(err)
	}
	id, err := keyID(public)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestAStatementThatLiesIsNoticed signs, with the right key, statements that do not
// say what the report says.
func TestAStatementThatLiesIsNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		lie  func(*Statement)
		want string
	}{
		"report":          {func(s *Statement) { s.Subject[0].Digest["sha256"] = hexOf("x") }, "the report is not"},
		"product":         {func(s *Statement) { s.Subject[1].Digest["sha256"] = hexOf("x") }, "the product in the report"},
		"product's name":  {func(s *Statement) { s.Subject[1].Name = "rea v9" }, "the product in the report"},
		"no product":      {func(s *Statement) { s.Subject = s.Subject[:1] }, "has 1 subject"},
		"a layer":         {func(s *Statement) { s.Predicate.Configuration[1].Digest["sha256"] = hexOf("x") }, "image mitmdump"},
		"order of layers": {func(s *Statement) { c := s.Predicate.Configuration; c[0], c[1] = c[1], c[0] }, "image mitmdump"},
		"a layer less":    {func(s *Statement) { s.Predicate.Configuration = s.Predicate.Configuration[1:] }, "image mitmdump"},
		"a thing more": {func(s *Statement) {
			s.Predicate.Configuration = append(s.Predicate.Configuration, Resource{"x", map[string]string{"sha256": hexOf("x")}})
		}, "the number of things"},
		"a commit":         {func(s *Statement) { s.Predicate.Configuration[layers].Digest["gitCommit"] = strings.Repeat("f", 40) }, "corpus forest"},
		"result":           {func(s *Statement) { s.Predicate.Result = "FAILED" }, "the result"},
		"passed":           {func(s *Statement) { s.Predicate.PassedTests = s.Predicate.PassedTests[1:] }, "passed checks"},
		"warned":           {func(s *Statement) { s.Predicate.WarnedTests = []string{"one"} }, "with warnings"},
		"failed":           {func(s *Statement) { s.Predicate.FailedTests = []string{"one"} }, "failed checks"},
		"statement's type": {func(s *Statement) { s.Type = "https://in-toto.io/Statement/v0.1" }, "another type"},
		"predicate's type": {func(s *Statement) { s.PredicateType = "https://slsa.dev/provenance/v1" }, "another type"},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, tested())
			data, err := os.ReadFile(b.report)
			if err != nil {
				t.Fatal(err)
			}
			s, err := About("web-test.json", data)
			if err != nil {
				t.Fatal(err)
			}
			c.lie(&s)
			key, err := OpenKey(b.key)
			if err != nil {
				t.Fatal(err)
			}
			line, err := key.seal(context.Background(), s)
			if err == nil {
				err = os.WriteFile(results.Beside(b.report, results.AttestationExt), line, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Check(context.Background(), b.report, b.public); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWhatWasNotRunIsAWarningAndAFailureIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		verdict report.Verdict
		check   report.Verdict
		want    string
	}{
		"not run": {report.Passed, report.Unavailable, "WARNED"},
		"failed":  {report.Failed, report.Failed, "FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			r := tested()
			r.Verdict = c.verdict
			r.Checks = append(r.Checks, report.Check{Name: "three", Verdict: c.check})
			b := setup(t, r)
			b.sign(t)
			s, err := Check(context.Background(), b.report, b.public)
			if err != nil || s.Predicate.Result != c.want || len(s.Predicate.PassedTests) != 2 ||
				(len(s.Predicate.FailedTests) == 1) != (c.check == report.Failed) || len(s.Predicate.WarnedTests) != 0 {
				t.Errorf("%+v, %v", s.Predicate, err)
			}
		})
	}
}

func TestNothingIsAttestedThatTestedNothing(t *testing.T) {
	unavailable := tested()
	unavailable.Verdict = report.Unavailable
	productless := tested()
	productless.Product = nil
	odd := tested()
	odd.Pins[1].Digests[0] = "sha256:short"
	for name, r := range map[string]report.Report{"unavailable": unavailable, "no product": productless, "no digest": odd} {
		b := setup(t, r)
		key, err := OpenKey(b.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := key.Sign(context.Background(), b.report); err == nil || errors.Is(err, ErrNothing) != (name != "no digest") {
			t.Errorf("%s: it was attested, or %v", name, err)
		}
		if _, err := os.Stat(results.Beside(b.report, results.AttestationExt)); err == nil {
			t.Errorf("%s: there is a file", name)
		}
	}
	running := tested()
	running.Status, running.Verdict, running.Finished = "running", "", nil
	path := filepath.Join(t.TempDir(), "running.json")
	if _, err := report.Create(path, running); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if _, err := About("running.json", data); !errors.Is(err, ErrNothing) {
		t.Error("a report that still runs was attested")
	}
}

func TestKeysOfAnotherKindAreRefusedWithoutQuotingThem(t *testing.T) {
	dir := t.TempDir()
	private, public := pair(t, dir, "k")
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	two := filepath.Join(dir, "two")
	one, _ := os.ReadFile(private)
	if err := os.WriteFile(two, append(one, one...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{public, write(t, dir, "rsa", "PRIVATE KEY", other), garbage, two, filepath.Join(dir, "absent")} {
		if _, err := OpenKey(path); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	for _, path := range []string{private, write(t, dir, "rsa.pub", "PUBLIC KEY", &other.PublicKey), garbage, two} {
		if _, err := openPublic(path); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

// TestTheEncodingIsTheOneThatTheSpecificationShows holds the library to the example
// of the DSSE protocol.
func TestTheEncodingIsTheOneThatTheSpecificationShows(t *testing.T) {
	const want = "DSSEv1 29 http://example.com/HelloWorld 11 hello world"
	if got := string(dsse.PAE("http://example.com/HelloWorld", []byte("hello world"))); got != want {
		t.Errorf("%q", got)
	}
}

func TestHereIsComparedPartByPart(t *testing.T) {
	b := setup(t, tested())
	b.sign(t)
	s, err := Check(context.Background(), b.report, b.public)
	if err != nil {
		t.Fatal(err)
	}
	product := filepath.Join(b.dir, "rea")
	if err := os.WriteFile(product, []byte("the executable"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := func() Here {
		return Here{
			Product: product,
			Layers:  func(context.Context, string) ([]string, error) { return tested().Pins[1].Digests, nil },
			Locks:   []corpora.Lock{{Name: "forest", Commit: tested().Pins[2].Value}},
		}
	}
	if err := good().Holds(context.Background(), s); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*Here){
		"is not the product":         func(h *Here) { h.Product = b.report },
		"the product: open":          func(h *Here) { h.Product += "-absent" },
		"image mitmdump here is not": func(h *Here) { h.Layers = func(context.Context, string) ([]string, error) { return nil, nil } },
		"image mitmdump: no engine": func(h *Here) {
			h.Layers = func(context.Context, string) ([]string, error) { return nil, errors.New("no engine") }
		},
		"corpus forest here is not": func(h *Here) { h.Locks[0].Commit = strings.Repeat("f", 40) },
	} {
		h := good()
		spoil(&h)
		if err := h.Holds(context.Background(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
