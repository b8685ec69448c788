package evidence

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// records is an envelope as a capture has it, with records of some variety.
func records(t *testing.T) (string, []byte) {
	t.Helper()
	e := plain(t)
	e.Result = []Part{{Bytes: []byte(`{"records":[`)}, {Bytes: []byte(`{"a":[{}],"b":"\ud800"},[],null,1.5,`)}, {Bytes: []byte(`"x"],"z":{}}`)}}
	return sealed(t, e)
}

func TestOpenFindsRecordsInAnyLayout(t *testing.T) {
	id, doc := records(t)
	loose := strings.NewReplacer(
		`"records":[`, "\"rec\\u006frds\" : [\n", `"a":[{}]`, "\"b\":\"\\uD800\",\"a\":[ { } ]", `,"b":"\ud800"`, ``, `1.5`, `15e-1`, `null`, "\tnull ",
	).Replace(string(doc))
	if loose == string(doc) {
		t.Fatal("nothing was changed")
	}
	got, d, err := Open([]byte(loose))
	if err != nil || got != id {
		t.Fatalf("%q, %v, want %q", got, err, id)
	}
	if b, err := d.Bytes(); err != nil || !bytes.Equal(b, doc) {
		t.Errorf("%s, %v; want %s", b, err, doc)
	}
}

func TestFaults(t *testing.T) {
	_, doc := records(t)
	for _, c := range []struct {
		old, new, member string
		kind             FaultKind
	}{
		{`"x"]`, `"y"]`, "evidence_id", Mismatched},
		{`"raw_result"`, `"extra":1,"raw_result"`, "extra", Unknown},
		{`"environment":null,`, ``, "environment", Missing},
		{`"ev_`, `"EV_`, "evidence_id", Malformed},
		{`{`, `[`, "", Malformed},
	} {
		_, _, err := Open(bytes.Replace(doc, []byte(c.old), []byte(c.new), 1))
		var f *Fault
		if !errors.As(err, &f) || f.Kind != c.kind || f.Member != c.member {
			t.Errorf("%s: %+v", c.new, err)
		}
	}
}

// TestOpenHoldsTreesToTheirBound crosses it by one: around the records, in one of
// them, and with the bound that there is.
func TestOpenHoldsTreesToTheirBound(t *testing.T) {
	_, doc := records(t)
	kind := func(document []byte, most int) any {
		_, _, err := open(document, most)
		var f *Fault
		if errors.As(err, &f) {
			return f.Kind
		}
		return err
	}
	v, err := strictjson.Parse(doc, limits.EvidenceDepth)
	if err != nil {
		t.Fatal(err)
	}
	list := v.At("normalized_result", "records")
	around, most := values(&v), 0
	for i := range list.Items {
		n := values(&list.Items[i])
		around -= n
		most = max(most, n)
	}
	for at, want := range map[int]any{max(around, most): nil, max(around, most) - 1: Crowded} {
		if got := kind(doc, at); got != want {
			t.Errorf("with %d values where %d are around the records and %d in one: %v", at, around, most, got)
		}
	}
	many := bytes.Replace(doc, []byte(`"raw_result":null`), []byte(`"raw_result":[`+strings.Repeat("0,", limits.EvidenceValues)+`0]`), 1)
	if got := kind(many, limits.EvidenceValues); got != Crowded {
		t.Errorf("more than %d values: %v", limits.EvidenceValues, got)
	}
	inRecord := bytes.Replace(doc, []byte(`"records":[`), []byte(`"records":[[`+strings.Repeat("0,", 4*around)+`0],`), 1)
	if got := kind(inRecord, 2*around); got != Crowded {
		t.Errorf("a crowded record: %v", got)
	}
}

// values is how many a value holds.
func values(v *tree.Value) (n int) {
	for i := range v.Items {
		n += 1 + values(&v.Items[i])
	}
	return n
}

func TestReadAtEqualsReader(t *testing.T) {
	_, d, err := Seal(plain(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for off := range whole {
		for _, n := range []int{1, 7, 90, len(whole) - off} {
			p := make([]byte, n)
			k, err := d.ReadAt(p, int64(off))
			want := whole[off:min(len(whole), off+n)]
			if !bytes.Equal(p[:k], want) || (err == io.EOF) != (k < n) || err != nil && err != io.EOF {
				t.Fatalf("at %d, %d bytes: %q, %v, want %q", off, n, p[:k], err, want)
			}
		}
	}
	if n, err := d.ReadAt(make([]byte, 1), int64(len(whole))); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
}
