package lane_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/product"
	"rea.example/verify/report"
	"rea.example/verify/results"
)

// fakeProduct makes this test binary answer like the product's `version`.
const fakeProduct = "REA_TEST_FAKE_PRODUCT"

func TestMain(m *testing.M) {
	if os.Getenv(fakeProduct) != "" {
		fmt.Println("rea 9.9.9-fake")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type fakeJudge struct{ bench.Judge }

func (fakeJudge) Verdicts(context.Context, []string) ([]judge.Verdict, error) { return nil, nil }
func (fakeJudge) Pins() []report.Pin                                          { return []report.Pin{{Name: "node", Value: "v0"}} }

// self is this test binary as a product.
var self = sync.OnceValues(func() (*product.Product, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return product.Open(context.Background(), path)
})

// start runs a lane with a product and a judge that are there, unless changed.
func start(t *testing.T, l lane.Lane, change func(*lane.Options)) (report.Report, error) {
	t.Helper()
	t.Setenv(fakeProduct, "1")
	path := filepath.Join(t.TempDir(), "report.json")
	o := lane.Options{
		Report: path, Log: io.Discard,
		Product: func(context.Context) (*product.Product, error) { return self() },
		Judge:   func(context.Context, string) (bench.Judge, error) { return fakeJudge{}, nil },
		Dock:    func(context.Context) (*containers.Dock, error) { return nil, errors.New("no engine here") },
	}
	if change != nil {
		change(&o)
	}
	l.Name = "web:fake"
	r, at, err := l.Start(context.Background(), o)
	if err != nil {
		return r, err
	}
	written, rerr := report.Read(at)
	if rerr != nil || written.Verdict != r.Verdict || written.Status != "finished" {
		t.Errorf("the file says %+v (%v), the call %+v", written, rerr, r)
	}
	return r, err
}

func passing(_ context.Context, b *bench.Bench) error {
	b.Check("two and two", func() error { return nil })
	return nil
}

func TestAPassedLaneNamesWhatItRan(t *testing.T) {
	r, err := start(t, lane.Lane{Needs: lane.Needs{Judge: true}, Run: passing}, nil)
	if err != nil || r.Verdict != report.Passed {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Lane != "verify:web:fake" || r.Product == nil || r.Product.Version != "rea 9.9.9-fake" || len(r.Product.SHA256) != 64 {
		t.Errorf("lane %q, product %+v", r.Lane, r.Product)
	}
	if len(r.Pins) != 1 || r.Pins[0].Name != "node" {
		t.Errorf("pins %+v", r.Pins)
	}
}

func TestOneFailedCheckFailsTheLaneAndTheOthersStillRun(t *testing.T) {
	r, err := start(t, lane.Lane{Run: func(ctx context.Context, b *bench.Bench) error {
		if b.Check("five", func() error { return errors.New("is four") }) {
			t.Error("a failed check says that it passed")
		}
		return passing(ctx, b)
	}}, nil)
	if err != nil || r.Verdict != report.Failed || len(r.Checks) != 5 || r.Checks[1].Detail != "is four" || r.Checks[2].Verdict != report.Passed {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAnAbsentNeedIsUnavailableAndNothingRuns(t *testing.T) {
	l := lane.Lane{Needs: lane.Needs{Judge: true}, Run: func(context.Context, *bench.Bench) error {
		t.Error("the lane ran")
		return nil
	}}
	r, err := start(t, l, func(o *lane.Options) {
		o.Judge = func(context.Context, string) (bench.Judge, error) { return nil, errors.New("no node here") }
	})
	if err != nil || r.Verdict != report.Unavailable || len(r.Reasons) != 1 || r.Reasons[0] != "no node here" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestEveryAbsentNeedIsNamedAtOnce(t *testing.T) {
	l := lane.Lane{Needs: lane.Needs{
		Images: []containers.Image{containers.MITMDump}, Supplied: []string{"control", "loss", "folder"},
	}}
	r, err := start(t, l, func(o *lane.Options) {
		o.Supplied = map[string]string{"loss": filepath.Join(t.TempDir(), "absent"), "folder": t.TempDir()}
	})
	if err != nil || r.Verdict != report.Unavailable || len(r.Reasons) != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, part := range []string{"control: no path", "loss: ", "folder: no regular file", "no engine here"} {
		if !strings.Contains(r.Reasons[i], part) {
			t.Errorf("reason %d: %q", i, r.Reasons[i])
		}
	}
}

func TestAUsefulImageThatIsAbsentLeavesChecksNotRun(t *testing.T) {
	l := lane.Lane{Needs: lane.Needs{Useful: []containers.Image{containers.AIOQuic}}}
	l.Run = func(ctx context.Context, b *bench.Bench) error {
		reason := b.Lacks(containers.AIOQuic)
		if reason == "" || b.Lacks(containers.MITMDump) != "" || b.Dock != nil {
			t.Errorf("reason %q, dock %v", reason, b.Dock)
		}
		b.NotRun("with aioquic", reason)
		return nil
	}
	if r, err := start(t, l, nil); err != nil || r.Verdict != report.Failed {
		t.Errorf("a lane that ran no check: %+v, %v", r, err)
	}
	inner := l.Run
	l.Run = func(ctx context.Context, b *bench.Bench) error { return errors.Join(inner(ctx, b), passing(ctx, b)) }
	r, err := start(t, l, nil)
	if err != nil || r.Verdict != report.Passed || r.Checks[1].Verdict != report.Unavailable || !strings.Contains(r.Checks[1].Detail, "no engine here") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestALaneThatCannotPassFails(t *testing.T) {
	for name, c := range map[string]struct {
		run    func(context.Context, *bench.Bench) error
		change func(*lane.Options)
		check  string
	}{
		"checks nothing": {run: func(context.Context, *bench.Bench) error { return nil }, check: "lane ran to its end"},
		"ends early":     {run: func(context.Context, *bench.Bench) error { return context.Canceled }, check: "lane ran to its end"},
		"has no product": {run: passing, check: "product is built", change: func(o *lane.Options) {
			o.Product = func(context.Context) (*product.Product, error) { return nil, errors.New("does not compile") }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := start(t, lane.Lane{Run: c.run}, c.change)
			if err != nil || r.Verdict != report.Failed {
				t.Fatalf("%+v, %v", r, err)
			}
			for _, got := range r.Checks {
				if got.Name == c.check && got.Verdict == report.Failed {
					return
				}
			}
			t.Errorf("no failed check %q in %+v", c.check, r.Checks)
		})
	}
}

func TestAReportThatExistsStopsTheLane(t *testing.T) {
	_, err := start(t, lane.Lane{Run: func(context.Context, *bench.Bench) error {
		t.Error("the lane ran")
		return nil
	}}, func(o *lane.Options) {
		if err := os.WriteFile(o.Report, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
}

func TestTheReportRunsWhileTheLaneRuns(t *testing.T) {
	var path string
	l := lane.Lane{Run: func(ctx context.Context, b *bench.Bench) error {
		if r, err := report.Read(path); err != nil || r.Status != "running" {
			t.Errorf("meanwhile %+v, %v", r, err)
		}
		if err := os.WriteFile(filepath.Join(b.Temp, "x"), nil, 0o600); err != nil {
			t.Error(err)
		}
		t.Cleanup(func() {
			if _, err := os.Stat(b.Temp); err == nil {
				t.Error("the bench's folder is still there")
			}
		})
		return passing(ctx, b)
	}}
	if r, err := start(t, l, func(o *lane.Options) { path = o.Report }); err != nil || r.Verdict != report.Passed {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAPlantedSecretNeverReachesTheReport(t *testing.T) {
	const secret = "zq00Canary97qz"
	var path string
	r, err := start(t, lane.Lane{Run: func(_ context.Context, b *bench.Bench) error {
		b.Plant(secret)
		b.Check("leaky", func() error { return errors.New("the product printed " + secret) })
		return nil
	}}, func(o *lane.Options) { path = o.Report })
	data, rerr := os.ReadFile(path)
	if err != nil || rerr != nil || r.Verdict != report.Failed || strings.Contains(string(data), secret) {
		t.Errorf("%s, %v, %v", data, err, rerr)
	}
}

func TestAPanicIsAFailedCheckAndTheBenchIsEmptied(t *testing.T) {
	var temp string
	r, err := start(t, lane.Lane{Run: func(_ context.Context, b *bench.Bench) error {
		temp = b.Temp
		b.Check("in a check", func() error { panic("first") })
		panic("second")
	}}, nil)
	if err != nil || r.Verdict != report.Failed {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []string{"", "panic: first\n", "panic: second\n", ""} {
		if !strings.HasPrefix(r.Checks[i].Detail, want) || want == "" && r.Checks[i].Detail != "" {
			t.Errorf("check %d: %+v", i, r.Checks[i])
		}
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("the bench's folder is still there")
	}
}

func TestAPlantedSecretNeverReachesTheLog(t *testing.T) {
	const secret = "zq00Canary97qz"
	var log bytes.Buffer
	_, err := start(t, lane.Lane{Run: func(_ context.Context, b *bench.Bench) error {
		b.Plant(secret)
		b.Check("leaky", func() error { return errors.New("the product printed " + secret) })
		b.NotRun("lacking", hex.EncodeToString([]byte(secret)))
		b.Say("%s", secret)
		b.Say("and now for something else")
		return nil
	}}, func(o *lane.Options) { o.Log = &log })
	if err != nil || strings.Contains(log.String(), secret) || strings.Count(log.String(), "withheld") != 3 || !strings.Contains(log.String(), "something else") {
		t.Errorf("%s, %v", &log, err)
	}
}

func TestALaneWithoutRoomForItsFilesIsUnavailable(t *testing.T) {
	r, err := start(t, lane.Lane{Run: passing}, func(*lane.Options) {
		for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
			t.Setenv(name, filepath.Join(t.TempDir(), "absent"))
		}
	})
	if err != nil || r.Verdict != report.Unavailable || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], "bench") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAFinishedReportIsAttestedAndAKeyIsWantedFirst(t *testing.T) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	attested := func(l lane.Lane, key string) (bool, error) {
		var path string
		_, err := start(t, l, func(o *lane.Options) { o.Attest, path = key, o.Report })
		_, absent := os.Stat(results.Beside(path, results.AttestationExt))
		return absent == nil, err
	}
	if there, err := attested(lane.Lane{Run: passing}, key); err != nil || !there {
		t.Errorf("no attestation: %v", err)
	}
	needy := lane.Lane{Needs: lane.Needs{Supplied: []string{"control"}}, Run: passing}
	if there, err := attested(needy, key); err != nil || there {
		t.Errorf("a lane that is unavailable is attested: %v", err)
	}
	idle := lane.Lane{Run: func(context.Context, *bench.Bench) error {
		t.Error("the lane ran")
		return nil
	}}
	if _, err := attested(idle, key+"-absent"); err == nil {
		t.Error("there was no key")
	}
	var taken string
	_, err = start(t, idle, func(o *lane.Options) {
		o.Attest = key
		if err := os.WriteFile(results.Beside(o.Report, results.AttestationExt), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("an attestation that was there: %v", err)
	}
	r, err := start(t, lane.Lane{Run: func(ctx context.Context, b *bench.Bench) error {
		return errors.Join(passing(ctx, b), os.WriteFile(taken, nil, 0o600))
	}}, func(o *lane.Options) { o.Attest, taken = key, results.Beside(o.Report, results.AttestationExt) })
	if !errors.Is(err, lane.ErrNotAttested) || r.Verdict != report.Passed {
		t.Errorf("an attestation that came meanwhile: %+v, %v", r, err)
	}
}
