package mitmproxy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/mitmproxy"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// counting is a sink that looks at a record no longer than it may.
type counting struct{ records, containers int }

func (c *counting) Record(*format.Entry) error        { c.records++; return nil }
func (c *counting) Container(*format.Container) error { c.containers++; return nil }

// What a reading may allocate: for each byte of input, and besides. The least
// value takes three bytes, and the least member of a dictionary seven.
const (
	perByte = 64
	besides = 4 << 20
)

// FuzzRead: any bytes are read without panic, within a bound of memory, and
// either wholly or with a problem that says where.
func FuzzRead(f *testing.F) {
	f.Add(mitmproxy.Format{}.Profile().Sample)
	f.Add(file(dict{"a", 1, "a", float("1e+16")}, dict{"x", nested(64)}))
	f.Add([]byte("999999999999:"))
	f.Add([]byte("12:1:x;6:0:~0:~]}"))
	f.Add(formattest.TNetString(dict{"x", token(strings.Repeat("0:~", 1000), ']')}))
	f.Add(formattest.TNetString(dict{"x", token(strings.Repeat("1:a;0:~", 1000), '}')}))
	f.Add(formattest.TNetString(dict{"x", token(strings.Repeat("0:]0:}", 1000)+"5:", ']')}))
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		var c counting
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		err := mitmproxy.Format{}.Read(format.Input{Source: src}, &c)
		runtime.ReadMemStats(&to)
		if n := to.TotalAlloc - from.TotalAlloc; n > uint64(perByte*len(src)+besides) {
			t.Errorf("%d bytes were allocated for %d", n, len(src))
		}
		if !bytes.Equal(src, before) {
			t.Error("the capture was changed")
		}
		if err == nil {
			if c.containers != 1 || (c.records == 0) != (len(src) == 0) {
				t.Errorf("%+v", c)
			}
			return
		}
		var p *format.Problem
		if !errors.As(err, &p) || c.containers != 0 {
			t.Fatalf("%v after %+v", err, c)
		}
		if !strings.HasPrefix(p.Message, "the record at byte offset ") || p.Kind == format.TooMuch != (p.Maximum.Value == limits.CaptureDepth) {
			t.Errorf("%+v", p)
		}
	})
}

// FuzzRoundTrip: what a writer wrote is read as the value that it was given.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some bytes to make values of"))
	f.Add([]byte("\x0f\x0f\x0e\x0e\x0d\x0c\x0b\x0a\x09\x08\x07\x06\x05\x04\x03\x02\x01\x00"))
	f.Add(bytes.Repeat([]byte{7, 6}, 80))
	f.Fuzz(func(t *testing.T, seed []byte) {
		m := maker{rest: seed}
		var flows []dict
		want := []string{}
		for len(m.rest) > 0 {
			d, spelt := m.dict(0)
			flows, want = append(flows, d), append(want, spelt)
		}
		g, p := read(t, file(flows...))
		if p != nil {
			t.Fatal(p)
		}
		if strings.Join(g.records, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q\nwant\n%q", g.records, want)
		}
	})
}

// maker makes values of bytes, each with the spelling that spell gives it.
type maker struct{ rest []byte }

func (m *maker) byte() byte {
	if len(m.rest) == 0 {
		return 0
	}
	c := m.rest[0]
	m.rest = m.rest[1:]
	return c
}

func (m *maker) octets() []byte {
	n := min(int(m.byte()%24), len(m.rest))
	o := m.rest[:n]
	m.rest = m.rest[n:]
	return o
}

func (m *maker) number() uint64 {
	var n [8]byte
	copy(n[:], m.octets())
	return binary.LittleEndian.Uint64(n[:])
}

func (m *maker) value(depth int) (any, string) {
	kind := m.byte() % 9
	if depth == limits.CaptureDepth {
		kind %= 7
	}
	switch kind {
	case 0:
		return nil, "null"
	case 1:
		return true, "true"
	case 2:
		return false, "false"
	case 3:
		o := m.octets()
		return o, strconv.Quote(string(o))
	case 4:
		s := strings.ToValidUTF8(string(m.octets()), "?")
		return s, "t" + strconv.Quote(s)
	case 5:
		n := int(m.number())
		return n, strconv.Itoa(n)
	case 6:
		s := pythonRepr(math.Float64frombits(m.number()))
		return float(s), "f" + s
	case 7:
		l, parts := list{}, []string{}
		for range m.byte() % 5 {
			v, s := m.value(depth + 1)
			l, parts = append(l, v), append(parts, s)
		}
		return l, "[" + strings.Join(parts, " ") + "]"
	}
	d, s := m.dict(depth)
	return d, s
}

func (m *maker) dict(depth int) (dict, string) {
	d, parts := dict{}, []string{}
	if depth == limits.CaptureDepth {
		return d, "{}"
	}
	for i := range m.byte() % 5 {
		name := strconv.Itoa(int(i)) + strings.ToValidUTF8(string(m.octets()), "?")
		v, s := m.value(depth + 1)
		d, parts = append(d, name, v), append(parts, strconv.Quote(name)+"="+s)
	}
	return d, "{" + strings.Join(parts, " ") + "}"
}

// pythonRepr is another way to what Python prints: from the digits and the place
// of the dot, as its own source goes.
func pythonRepr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
	case f == 0:
		return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), "")
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	e, _ := strconv.Atoi(exponent)
	point := e + 1
	sign := ""
	if f < 0 {
		sign = "-"
	}
	switch {
	case point <= -4 || point > 16:
		if len(digits) > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		return sign + digits + "e" + exponent
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		return sign + digits + strings.Repeat("0", point-len(digits)) + ".0"
	}
	return sign + digits[:point] + "." + digits[point:]
}

// TestNothingIsKept: a value of one record does not stand in the next.
func TestNothingIsKept(t *testing.T) {
	s := &marks{}
	src := file(
		dict{"request", dict{"path", b("a"), "headers", headers("Cookie", "a")}, "a", list{1, 2}},
		dict{"x", dict{"y", b("a"), "z", list{list{b("b"), b("a")}}}, "n", nil})
	if err := (mitmproxy.Format{}).Read(format.Input{Source: src}, s); err != nil {
		t.Fatal(err)
	}
	if s.marked[0] != 2 || s.marked[1] != 0 {
		t.Errorf("%d marks", s.marked)
	}
}

// marks counts, of each record, the values marked as more than numbers.
type marks struct{ marked []int }

func (m *marks) Record(e *format.Entry) error {
	n := 0
	var visit func(v *tree.Value)
	visit = func(v *tree.Value) {
		if v.Mark&^(tree.Integer|tree.Float) != 0 {
			n++
		}
		for i := range v.Items {
			visit(&v.Items[i])
		}
	}
	visit(e.Reported)
	m.marked = append(m.marked, n)
	return nil
}

func (*marks) Container(*format.Container) error { return nil }
