package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rea.example/rea/internal/app"
)

// terminal gives a pseudo-terminal of so many columns, and all that is written
// to it once the program's end is closed.
func terminal(t *testing.T, columns uint16) (program *os.File, shown func() string) {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	fd := int(far.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns}); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(far) // ends with EIO when the other end is closed
		read <- b
	}()
	return program, func() string {
		program.Close()
		return strings.ReplaceAll(string(<-read), "\r\n", "\n")
	}
}

// On a terminal the table fits, is coloured unless NO_COLOR says no, and ends
// after fifty rows.
func TestTerminal(t *testing.T) {
	path := large(t) // thousands of records
	run := func(columns uint16, env ...string) string {
		tty, shown := terminal(t, columns)
		cmd := command(t, "inspect-web-network-capture", path, "har")
		cmd.Env = append(append(cmd.Env, "TERM=xterm", "NO_COLOR="), env...)
		cmd.Stdout = tty
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
		return shown()
	}
	plain := run(60, "NO_COLOR=1")
	if strings.Contains(plain, "\x1b") {
		t.Error("coloured in spite of NO_COLOR")
	}
	if strings.Contains(run(60, "TERM=dumb"), "\x1b") {
		t.Error("coloured on a terminal that can't")
	}
	if rows := strings.Count(plain, "https://h.example/a"); rows != 50 || !strings.Contains(plain, "more records") {
		t.Errorf("%d rows", rows)
	}
	if !strings.Contains(run(60), "\x1b[") {
		t.Error("not coloured")
	}
	for _, line := range strings.Split(run(40, "NO_COLOR=1"), "\n") {
		if len([]rune(line)) > 40 && !strings.HasPrefix(line, "  rea ") && !strings.HasPrefix(line, "sha256") && !strings.HasPrefix(line, "evidence") {
			t.Errorf("too wide: %s", line)
		}
	}
}

// A failure on a terminal is coloured where the terminal is, and as wide as it,
// whatever standard output is.
func TestFailureOnTerminal(t *testing.T) {
	for _, env := range []string{"NO_COLOR=", "NO_COLOR=1"} {
		tty, shown := terminal(t, 44)
		var out bytes.Buffer
		cmd := command(t, "inspect-web-network-capture", "relative.har", "har")
		cmd.Env = append(cmd.Env, "TERM=xterm", env)
		cmd.Stdout, cmd.Stderr = &out, tty
		if cmd.Run() == nil || out.Len() > 0 {
			t.Errorf("%s: standard output %q", env, &out)
		}
		text := shown()
		if strings.Contains(text, "\x1b[") != (env == "NO_COLOR=") || !strings.Contains(text, "must be absolute") {
			t.Errorf("%s: %q", env, text)
		}
		for _, line := range strings.Split(text, "\n") {
			if env != "NO_COLOR=" && len(line) > 44 {
				t.Errorf("too wide: %s", line)
			}
		}
	}
}

// A terminal that is asked to wait is told for what, and told no more in the end.
func TestProgressOnTerminal(t *testing.T) {
	tty, shown := terminal(t, 80)
	s := session{app: &app.App{}, errs: tty}
	tell, done := s.progress()
	if tell == nil {
		t.Fatal("a terminal is not told")
	}
	tell("waiting")
	done()
	if text := shown(); text != "" {
		t.Errorf("a quick call shows %q", text)
	}
}
