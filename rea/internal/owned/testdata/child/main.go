//go:build linux

// Command child is an owned child that misbehaves on request. It is built
// without the race detector, under which memory bounds mean something else.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rea.example/rea/internal/owned"
)

// keep holds what must stay alive.
var keep []any

func main() {
	if owned.IsLimited(os.Args) {
		os.Exit(owned.Limit(os.Args))
	}
	mode, arg := os.Args[1], os.Args[2:]
	switch mode {
	case "parent": // runs a child of its own and never ends it
		pipe := os.NewFile(3, "pipe")
		owned.Run(context.Background(), owned.Command{
			Args: []string{"up"}, Dir: os.TempDir(), Reply: pipe, Snapshot: os.Stdin, Deadline: time.Hour,
		})
		return
	case "large-parent": // is larger than the child it runs, whose size it prints
		b := make([]byte, 300<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		empty := os.Stdin
		out := owned.Run(context.Background(), owned.Command{
			Args: []string{"nothing"}, Dir: os.TempDir(), Reply: os.Stdout, Snapshot: empty,
		})
		fmt.Println(out.Ending, out.MaxRSS, len(b))
		return
	case "orphan": // outlives the one who started it
		pipe := os.NewFile(3, "pipe")
		fmt.Fprintf(pipe, "%d\n", os.Getpid())
		forever()
	}
	bound := owned.Confine()
	if mode == "start" {
		return
	}
	child, err := owned.Inherit()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch mode {
	case "nothing":
	case "echo":
		echo(child, bound)
	case "up":
		fmt.Fprintln(child.Reply, "up")
		forever()
	case "exit":
		os.Exit(number(arg[0]))
	case "say": // so many bytes to standard output, so many to standard error
		say(os.Stdout, number(arg[0]))
		say(os.Stderr, number(arg[1]))
	case "chatter":
		for {
			say(os.Stdout, 1<<16)
			say(os.Stderr, 1<<16)
		}
	case "start-orphan":
		startOrphan(child, arg)
	case "write-snapshot":
		child.Snapshot[0] = 'x'
	case "forge":
		panic("one\nfatal error: out of memory\n" + strings.Repeat("x", 10))
	case "forge-error":
		panic(fmt.Errorf("one\nfatal error: out of memory"))
	case "nil":
		var p *int
		*p = 1
	case "quit": // prints a traceback and exits with status 2
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		forever()
	case "die": // with the given memory in use, by the given signal
		b := make([]byte, number(arg[0]))
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		keep = append(keep, b)
		syscall.Kill(os.Getpid(), syscall.Signal(number(arg[1])))
		forever()
	default:
		grow(mode)
	}
}

// grow uses memory in one of many ways.
func grow(mode string) {
	switch mode {
	case "fits": // much, but within the budget, with garbage beside it
		text := bytes.Repeat([]byte("x"), 1<<10)
		live := make([][]byte, 100<<10)
		for i := range live {
			live[i] = bytes.Clone(text)
		}
		for i := range 300 << 10 {
			live[i%len(live)] = bytes.Clone(text)
		}
		keep = append(keep, live)
	case "pieces":
		for {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			keep = append(keep, b)
		}
	case "large-pieces":
		for {
			b := make([]byte, 100<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			keep = append(keep, b)
		}
	case "huge":
		b := make([]byte, 1<<30)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		keep = append(keep, b)
	case "huge-untouched":
		keep = append(keep, make([]byte, 64<<30))
	case "nodes":
		type node struct {
			next *node
			_    [14]uint64
		}
		var head *node
		for {
			head = &node{next: head}
		}
	case "append":
		var b []byte
		for {
			b = append(b, 1)
		}
	case "map":
		m := map[int][4]int{}
		for i := 0; ; i++ {
			m[i] = [4]int{i}
		}
	case "goroutines":
		for {
			go func() { deepen(200); select {} }()
		}
	case "flood": // dies with a traceback of megabytes
		for range 25_000 {
			go func() { deepen(3); select {} }()
		}
		keep = append(keep, make([]byte, 1<<30))
	case "recursion":
		deepen(1 << 40)
	default:
		fmt.Fprintln(os.Stderr, "unknown mode")
		os.Exit(4)
	}
}

func deepen(n int) int {
	var pad [64]int
	if n == 0 {
		return 0
	}
	pad[n%64] = deepen(n - 1)
	return pad[(n+1)%64] + 1
}

// echo replies with what the child sees of itself.
func echo(child *owned.Child, bound owned.Bound) {
	stdin, err := io.ReadAll(os.Stdin)
	seen := map[string]any{
		"request":  string(child.Request),
		"snapshot": fmt.Sprintf("%x", sha256.Sum256(child.Snapshot)),
		"enforced": bound.Enforced,
		"env":      os.Environ(),
		"args":     os.Args,
		"stdin":    len(stdin),
		"stdinErr": err != nil,
		"leader":   syscall.Getpgrp() == os.Getpid(),
		"limits":   ceilings(),
	}
	if err := json.NewEncoder(child.Reply).Encode(seen); err != nil {
		os.Exit(5)
	}
}

func startOrphan(child *owned.Child, how []string) {
	attr := &os.ProcAttr{Env: os.Environ(), Files: []*os.File{nil, nil, nil, child.Reply}, Sys: &syscall.SysProcAttr{}}
	for _, h := range how {
		switch h {
		case "leaves-group":
			attr.Sys.Setsid = true
		case "forgets-token":
			attr.Env = nil
		case "holds-output":
			attr.Files[1] = os.Stdout
		}
	}
	if attr.Env == nil {
		attr.Env = []string{"NOTHING=1"}
	}
	p, err := os.StartProcess("/proc/self/exe", []string{"orphan", "orphan"}, attr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(6)
	}
	p.Release()
}

func say(f *os.File, n int) {
	f.Write([]byte(strings.Repeat("x", n)))
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("not a number")
	}
	return n
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// ceilings are the limits that hold: address space beyond the present size, in
// MiB, soft and hard, and core size.
func ceilings() map[string]uint64 {
	var as, core syscall.Rlimit
	syscall.Getrlimit(syscall.RLIMIT_AS, &as)
	syscall.Getrlimit(syscall.RLIMIT_CORE, &core)
	var pages uint64
	statm, _ := os.ReadFile("/proc/self/statm")
	fmt.Sscan(string(statm), &pages)
	present := pages * uint64(os.Getpagesize())
	return map[string]uint64{
		"soft": (as.Cur - present) >> 20, "hard": (as.Max - present) >> 20, "core": core.Max,
	}
}
