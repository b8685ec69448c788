package mitmproxy

import (
	_ "embed"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

//go:embed sample.mitm
var sample []byte

// Format is the reader of flow files that needs nothing but this program.
type Format struct{}

// Profile describes the format.
func (Format) Profile() format.Profile {
	return format.Profile{
		Name:        "mitmproxy",
		Title:       "mitmproxy flow file, of any state version (mitmdump -w)",
		Decoder:     evidence.Identity{ID: "rea-tnetstring", Name: "REA embedded tnetstring reader", Version: "1"},
		Credentials: credentials,
		Limits: append([]string{
			"Read by the tnetstring reader embedded in this program, not by mitmproxy: it takes lengths and numbers only as mitmproxy writes them.",
		}, limitations...),
		Sample: sample,
	}
}

const credentials = "Excluded as transport credentials: values of Authorization, Proxy-Authorization, Cookie and Set-Cookie in headers and trailers of requests and responses, backups included, and userinfo in request paths, request authorities and Location, Referer and Origin headers; and what a client gave the proxy to authenticate (metadata proxyauth). Other names are not taken as a sign of sensitivity."

// limitations hold whoever reads the file.
var limitations = []string{
	"Messages are as mitmproxy assembled them, not the fragments that were on the wire.",
	"Where a dictionary repeats a key, its last value counts; the others are not recovered.",
	"The order of object members is not kept; arrays are in the producer's order.",
}

// representation names the octets of a state's values.
const representation = "producer-bytes"

var (
	recordLimits = []string{
		"The state is as stored, in its own version: nothing was migrated or filled in, and unknown members are kept.",
		"Binary fields are the exact bytes; text reported for them is derived, and null where they are not UTF-8.",
	}
	repeatedLimits = append(recordLimits[:len(recordLimits):len(recordLimits)],
		"A dictionary of this record repeats a key; only the last value of each is here.")
)

// Read walks the capture. See format.Format.
func (Format) Read(in format.Input, out format.Sink) error {
	r := newReader(in.Source)
	var e format.Entry
	for at := 0; at < len(in.Source); {
		v, end, f := r.record(at)
		if f != nil {
			return f.problem(at)
		}
		e = format.Entry{
			At:     evidence.Location{Kind: evidence.AtRange, Offset: int64(at), Bytes: int64(end - at)},
			Limits: recordLimits,
		}
		if r.repeated {
			e.Limits = repeatedLimits
		}
		if err := deliver(v, r.suspect, &e, out); err != nil {
			return err
		}
		at = end
	}
	return out.Container(&format.Container{})
}

// deliver judges and marks a state that was read, and hands it on.
func deliver(v *tree.Value, s suspect, e *format.Entry, out format.Sink) error {
	f := s.check(v)
	if f == nil {
		f = mark(v)
	}
	if f != nil {
		return f.problem(int(e.At.Offset))
	}
	e.Reported, e.Representation = v, representation
	return out.Record(e)
}
