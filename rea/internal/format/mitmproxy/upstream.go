package mitmproxy

import (
	_ "embed"
	"strconv"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
)

//go:embed bridge.py
var bridge []byte

// upstreamVersion is the one version of mitmproxy whose reading is taken. The
// script in bridge.py asks for the same.
const upstreamVersion = "12.2.3"

// Upstream describes how mitmproxy itself reads a flow file for this program.
func (Format) Upstream() format.Upstream {
	return format.Upstream{
		Program:  "mitmdump",
		Version:  upstreamVersion,
		Variable: "REA_MITMDUMP_COMMAND",
		System:   "linux",
		Script:   bridge,
		Args: func(configuration, script string) []string {
			return []string{"--no-server", "-q", "--set", "confdir=" + configuration, "-s", script}
		},
		Environment: []string{"MALLOC_ARENA_MAX=2"}, // address space is limited, and an arena takes 64 MiB of it
		Reader:      upstreamReader{},
	}
}

// upstreamReader reads the lines that the script writes, and not the capture.
type upstreamReader struct{}

// Profile is that of Format, but for who reads.
func (upstreamReader) Profile() format.Profile {
	p := Format{}.Profile()
	p.Decoder = evidence.Identity{ID: "mitmproxy-native-tnetstring", Name: "REA offline native mitmproxy adapter", Version: upstreamVersion}
	p.Limits = append([]string{
		"Read by the tnetstring reader of mitmproxy " + upstreamVersion + ", run without a server under " + strconv.Itoa(limits.ForeignMemory>>20) + " MiB of address space, " +
			strconv.Itoa(int(limits.ForeignCPU.Seconds())) + " seconds of processor time and " + strconv.Itoa(limits.ReplyBytes>>20) + " MiB of output.",
		"A float is given as the shortest text of its value; how the file spelt it is not recovered.",
	}, limitations...)
	return p
}

// Read walks the script's lines. They have to tell of each byte of the capture.
func (upstreamReader) Read(in format.Input, out format.Sink) error {
	l := newLineReader(in.Source)
	head, _ := l.line()
	found, ok := strings.CutPrefix(head, "mitmproxy ")
	if !ok {
		return unreadable()
	}
	if found != upstreamVersion {
		return &format.Problem{Kind: format.Unsupported, Message: "mitmproxy " + upstreamVersion + " is required, and the program is " + strconv.QuoteToASCII(found)}
	}
	offset, size := 0, int(in.Capture)
	var e format.Entry
	for {
		line, ok := l.line()
		switch {
		case !ok:
			return unreadable()
		case line == "."+strconv.Itoa(offset) && offset == size && l.at == len(l.src):
			return out.Container(&format.Container{})
		case line == "?":
			return faultAt(offset, "mitmproxy's reader can't read it").problem(offset)
		case line == ">":
			return tooDeep(offset).problem(offset)
		}
		n, err := strconv.Atoi(strings.TrimPrefix(line, "@"))
		if err != nil || line[0] != '@' || n < 1 || n > size-offset {
			return unreadable()
		}
		v, ok := l.record()
		if !ok {
			return unreadable()
		}
		e = format.Entry{
			At:     evidence.Location{Kind: evidence.AtRange, Offset: int64(offset), Bytes: int64(n)},
			Limits: recordLimits,
		}
		if err := deliver(v, l.suspect, &e, out); err != nil {
			return err
		}
		offset += n
	}
}

func unreadable() *format.Problem {
	return &format.Problem{Kind: format.Unreadable, Message: "what mitmdump wrote is not what the script writes"}
}
