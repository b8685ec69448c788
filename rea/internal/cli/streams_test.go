package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rea.example/rea/internal/app"
)

// large is a capture of which no form fits the buffers on the way to a reader.
func large(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "large.har")
	var b bytes.Buffer
	b.WriteString(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[`)
	entry := `{"startedDateTime":"2031-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/a","httpVersion":"","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"","httpVersion":"","cookies":[],"headers":[],"content":{"size":0,"mimeType":"","text":"` + strings.Repeat("text ", 400) + `"},"redirectURL":"","headersSize":-1,"bodySize":-1},` +
		`"cache":{},"timings":{"send":0,"wait":0,"receive":0}}`
	for b.WriteString(entry); b.Len() < 24<<20; {
		b.WriteString("," + entry)
	}
	b.WriteString("]}}")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// private gives a run a temporary directory, which has to be empty in the end, and
// no process may be left that lives in it, as the owned child does.
func private(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, "TMP="+dir)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if pids := living(t, dir); len(pids) > 0 {
			t.Errorf("processes left behind: %v", pids)
		}
	})
}

// Whoever read the output went away: there is nobody to tell.
func TestClosedOutput(t *testing.T) {
	path := large(t)
	for _, args := range [][]string{
		{"inspect-web-network-capture", path, "har", "--json"},
		{"inspect-web-network-capture", path, "har", "--format", "jsonl"},
		{"inspect-web-network-capture", path, "har", "--format", "yaml"},
		{"inspect-web-network-capture", path, "har"},
		{"inspect-web-network-capture", path, "none", "--json"},
		{"sample", "har"}, {"version"}, {"help"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			cmd := command(t, args...)
			private(t, cmd)
			cmd.Stdout, cmd.Stderr = w, &errs
			if strings.HasPrefix(args[0], "inspect") && args[2] == "har" {
				// It goes away in the middle.
				go func() {
					_, _ = io.CopyN(io.Discard, r, 1000)
					r.Close()
				}()
			} else {
				r.Close()
			}
			err = cmd.Start()
			w.Close()
			if err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the status says more
			if code := cmd.ProcessState.ExitCode(); code != 1 || errs.Len() > 0 {
				t.Errorf("exit status %d, standard error %q", code, &errs)
			}
		})
	}
}

// A full disk is a failure, and is said.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no full disk to be had on this system")
	}
	path := captures(t)["sample"]
	for _, args := range [][]string{
		{"inspect-web-network-capture", path, "har", "--json"},
		{"inspect-web-network-capture", path, "har", "--format", "jsonl"},
		{"inspect-web-network-capture", path, "har", "--format", "yaml"},
		{"inspect-web-network-capture", path, "har"},
		{"inspect-web-network-capture", path, "none", "--json"},
		{"sample", "har"}, {"version"}, {"help"}, {"inspect-web-network-capture", "--help"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		var errs bytes.Buffer
		cmd := command(t, args...)
		private(t, cmd)
		cmd.Stdout, cmd.Stderr = full, &errs
		_ = cmd.Run() // the status says more
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit status %d, standard error %q", args, code, &errs)
		}
	}
}

// An interrupted run says that it was, and leaves nothing: no directory, no child.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent an interrupt there")
	}
	path := captures(t)["sample"]
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for _, form := range []string{"json", "text"} {
			t.Run(fmt.Sprint(signal, " ", form), func(t *testing.T) {
				var out, errs bytes.Buffer
				cmd := command(t, "inspect-web-network-capture", path, "har", "--format", form)
				cmd.Env = append(cmd.Env, "LANG="+endless)
				private(t, cmd)
				cmd.Stdout, cmd.Stderr = &out, &errs
				tmp := strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMP=")
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				await(t, func() bool { return os.Remove(filepath.Join(tmp, endless)) == nil })
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // the status says more
				said := &out
				if form == "text" {
					said = &errs
				}
				if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(said.String(), "cancelled") || out.Len()+errs.Len() != said.Len() {
					t.Errorf("exit status %d: %.300s%.300s", code, &out, &errs)
				}
			})
		}
	}
}

// What a killed run held for a sample is gone after the next run.
func TestKilledSample(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("elsewhere the owned process does not end with its owner")
		return
	}
	tmp := t.TempDir()
	run := func(language string) *exec.Cmd {
		cmd := command(t, "sample", "har")
		cmd.Env = append(cmd.Env, "LANG="+language, "TMPDIR="+tmp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	killed := run(endless)
	await(t, func() bool { return os.Remove(filepath.Join(tmp, endless)) == nil })
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if left, _ := os.ReadDir(tmp); len(left) == 0 {
		t.Fatal("the run that was killed held nothing: this test shows nothing")
	}
	await(t, func() bool { return len(living(t, tmp)) == 0 })
	if err := run("C").Wait(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// While the result is written nothing is held any more, and a signal ends the
// process as it does any other.
func TestInterruptWhilePrinting(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent an interrupt there")
	}
	cmd := command(t, "inspect-web-network-capture", large(t), "har", "--json")
	private(t, cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, out, 1); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	// Nobody reads on: without an end it would wait for ever.
	defer time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
	_ = cmd.Wait() // the state says more
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != syscall.SIGTERM {
		t.Errorf("ended with %v", cmd.ProcessState)
	}
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

// Progress is one line that comes after half a second and goes in the end.
func TestProgressLine(t *testing.T) {
	r, w := io.Pipe()
	steps, ended := make(chan app.Step), make(chan struct{})
	go func() {
		showProgress(w, steps)
		w.Close()
		close(ended)
	}()
	steps <- app.Reading
	steps <- app.Decoding
	line := make([]byte, 100)
	n, err := r.Read(line) // nothing comes before there is something to say
	if got := string(line[:n]); err != nil || !strings.HasPrefix(got, "\r\x1b[Kdecoding, ") || !strings.HasSuffix(got, " s") {
		t.Errorf("%q, %v", got, err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }() // ends with the writer
	close(steps)
	<-ended

	var quick bytes.Buffer
	steps = make(chan app.Step, 1)
	steps <- app.Decoding
	close(steps)
	showProgress(&quick, steps)
	if quick.Len() > 0 {
		t.Errorf("a quick call shows %q", &quick)
	}
}

// Without a terminal there is no progress to tell, however long a call takes.
func TestProgressOnlyOnTerminals(t *testing.T) {
	for _, w := range []io.Writer{io.Discard, &bytes.Buffer{}} {
		s := session{errs: w}
		tell, done := s.progress()
		if tell != nil {
			t.Errorf("%T is told", w)
		}
		done()
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := session{errs: f}
	if tell, _ := s.progress(); tell != nil {
		t.Error("the null device is told")
	}
}
