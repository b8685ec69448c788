package formattest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Suite is what a format brings to its test.
type Suite struct {
	Format string
	// Captures are valid captures by name. At least one holds two records.
	Captures map[string][]byte
	// JSON says that a capture is one JSON document, with all that follows.
	JSON bool
	// Words are the names and constants of the format's own contract, which no
	// declaration renames.
	Words string
}

// Run runs the suite.
func Run(t *testing.T, s Suite) {
	if len(s.Captures) == 0 {
		t.Fatal("a format needs captures to be tested with")
	}
	for name, capture := range s.Captures {
		t.Run(name, func(t *testing.T) {
			whole := s.ask(t, capture, decode.Request{})
			if whole.Problem != nil {
				t.Fatalf("the capture is refused: %v", whole.Problem)
			}
			t.Run("same bytes, same reply", func(t *testing.T) {
				if again := s.ask(t, capture, decode.Request{}); !bytes.Equal(whole.Raw, again.Raw) {
					t.Error("two readings differ")
				}
			})
			t.Run("records", func(t *testing.T) { s.records(t, capture, whole) })
			t.Run("selection", func(t *testing.T) { s.selection(t, capture, whole) })
			t.Run("broken off", func(t *testing.T) { s.brokenOff(t, capture, whole) })
			t.Run("damaged", func(t *testing.T) { s.damaged(t, capture) })
			t.Run("declared", func(t *testing.T) { s.declared(t, capture, whole) })
			if s.JSON {
				t.Run("json", func(t *testing.T) { s.json(t, capture) })
			}
		})
	}
}

// Reply is a decoder's reply, read back and checked for its form.
type Reply struct {
	decode.Header
	Raw       []byte
	Container tree.Value
	Records   []tree.Value
	Texts     []string // of the records, canonical
}

type memory struct{ b []byte }

func (m *memory) Write(p []byte) (int, error)              { m.b = append(m.b, p...); return len(p), nil }
func (m *memory) WriteAt(p []byte, off int64) (int, error) { return copy(m.b[off:], p), nil }

func (s Suite) ask(t *testing.T, capture []byte, req decode.Request) Reply {
	t.Helper()
	req.Format = s.Format
	return Ask(t, capture, req)
}

// Ask runs the decoder over a capture. A request without ordinals is for all
// records.
func Ask(t testing.TB, capture []byte, req decode.Request) Reply {
	t.Helper()
	req.All = req.Ordinals == nil
	var m memory
	if err := decode.Answer(req.Encode(), capture, true, &m); err != nil {
		t.Fatal(err)
	}
	h, err := decode.ReadHeader(bytes.NewReader(m.b), int64(len(m.b)))
	if err != nil {
		t.Fatal(err)
	}
	r := Reply{Header: h, Raw: m.b}
	if h.Problem != nil {
		if len(h.Runs) > 0 || h.Total != 0 || h.Container.Bytes != 0 {
			t.Fatalf("a refused capture leaves something behind: %+v", h)
		}
		return r
	}
	if h.ReplyOverflow || h.UnknownOrdinals {
		return r
	}
	if r.Container, err = strictjson.Parse(r.section(h.Container), limits.EvidenceDepth); err != nil {
		t.Fatalf("the container is not strict JSON: %v", err)
	}
	for _, run := range h.Runs {
		list := r.section(run)
		v, err := strictjson.Parse(slices.Concat([]byte("["), list, []byte("]")), limits.EvidenceDepth)
		if err != nil {
			t.Fatalf("the records are not strict JSON: %v", err)
		}
		for _, rec := range v.Items {
			text := string(strictjson.AppendCanonical(nil, &rec))
			if !bytes.Contains(list, []byte(text)) {
				t.Fatal("a record is not in canonical form")
			}
			r.Records, r.Texts = append(r.Records, rec), append(r.Texts, text)
		}
	}
	return r
}

func (r Reply) section(s decode.Run) []byte { return r.Raw[s.Offset : s.Offset+s.Bytes] }

// holds says whether a text is anywhere in what the reply shows of the capture.
func (r Reply) holds(text string) bool {
	for _, run := range append([]decode.Run{r.Header.Container, r.Facet}, r.Runs...) {
		if bytes.Contains(r.section(run), []byte(text)) {
			return true
		}
	}
	return false
}

// records: ordinals count from zero, and every location leads back to something
// in the capture.
func (s Suite) records(t *testing.T, capture []byte, whole Reply) {
	if len(whole.Records) != whole.Total {
		t.Fatalf("%d records, the header says %d", len(whole.Records), whole.Total)
	}
	end := 0
	for i, r := range whole.Records {
		if got := r.Get("ordinal").Text; got != fmt.Sprint(i) {
			t.Errorf("record %d has ordinal %s", i, got)
		}
		at := r.Get("location")
		if at.Get("offset") != nil {
			end = s.byteRange(t, capture, r, end)
		}
		if members := at.Get("members"); members != nil && len(members.Items) == 0 {
			t.Errorf("record %d is of no members", i)
		} else if members != nil {
			for _, m := range members.Items {
				if name, _ := m.Str(); !bytes.Contains(capture, []byte(name)) {
					t.Errorf("record %d: there is no %s", i, name)
				}
			}
		}
		if p, ok := at.Get("pointer").Str(); ok {
			doc, err := strictjson.Parse(capture, limits.CaptureDepth)
			if err != nil || resolve(&doc, tree.Pointer(p)) == nil {
				t.Errorf("record %d: %s leads nowhere", i, p)
			}
		}
	}
}

// byteRange: a record that stands in a range of bytes stands there alone, and
// behind the one before.
func (s Suite) byteRange(t *testing.T, capture []byte, r tree.Value, from int) (end int) {
	var offset, n int
	if _, err := fmt.Sscan(r.At("location", "offset").Text+" "+r.At("location", "bytes").Text, &offset, &n); err != nil {
		t.Fatal(err)
	}
	if offset < from || n < 1 || offset+n > len(capture) {
		t.Fatalf("a record of %d bytes at %d, where %d to %d are free", n, offset, from, len(capture))
	}
	alone := s.ask(t, capture[offset:offset+n], decode.Request{})
	if len(alone.Records) != 1 {
		t.Fatalf("the bytes of the record at %d are %d records", offset, len(alone.Records))
	}
	for _, part := range []string{"reported", "binary_fields", "numeric_literals", "redactions"} {
		if text(alone.Records[0].Get(part)) != text(r.Get(part)) {
			t.Errorf("the record at %d alone has other %s", offset, part)
		}
	}
	return offset + n
}

func text(v *tree.Value) string { return string(strictjson.AppendCanonical(nil, v)) }

func resolve(v *tree.Value, p tree.Pointer) *tree.Value {
	for _, token := range p.Tokens() {
		switch {
		case v == nil:
			return nil
		case v.Kind == tree.Array:
			var i int
			if _, err := fmt.Sscan(token, &i); err != nil || i >= len(v.Items) {
				return nil
			}
			v = &v.Items[i]
		default:
			v = v.Get(token)
		}
	}
	return v
}

// selection: what is selected is the same bytes as in the whole, in the order
// asked for, and total counts the whole.
func (s Suite) selection(t *testing.T, capture []byte, whole Reply) {
	var backwards []int
	for i := range whole.Records {
		backwards = append([]int{i}, backwards...)
	}
	if len(backwards) == 0 {
		return
	}
	r := s.ask(t, capture, decode.Request{Ordinals: backwards})
	want := slices.Clone(whole.Texts)
	slices.Reverse(want)
	if !slices.Equal(r.Texts, want) || r.Total != whole.Total {
		t.Error("a selection differs from the whole")
	}
	if r := s.ask(t, capture, decode.Request{Ordinals: []int{whole.Total}}); !r.UnknownOrdinals {
		t.Error("an ordinal beyond the capture is accepted")
	}
}

// brokenOff: a JSON capture that ends early is no capture, and of any other what
// ends early is at most the records that are whole.
func (s Suite) brokenOff(t *testing.T, capture []byte, whole Reply) {
	end := len(capture)
	if s.JSON {
		end = len(bytes.TrimRight(capture, " \t\r\n"))
	}
	step := max(1, end/200)
	for n := 0; n < end; n += step {
		r := s.ask(t, capture[:n], decode.Request{})
		if r.Problem != nil {
			continue
		}
		if s.JSON || r.Total >= whole.Total || !slices.Equal(r.Texts, whole.Texts[:r.Total]) {
			t.Fatalf("the first %d of %d bytes are accepted", n, end)
		}
	}
}

// damaged: whatever happens to the bytes, the answer is a reply in good form.
func (s Suite) damaged(t *testing.T, capture []byte) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		b := slices.Clone(capture)
		for range 1 + rnd.IntN(3) {
			if len(b) == 0 {
				break // nothing is left to damage
			}
			switch i := rnd.IntN(len(b)); rnd.IntN(3) {
			case 0:
				b[i] ^= byte(1 << rnd.IntN(8))
			case 1:
				b = slices.Delete(b, i, min(len(b), i+1+rnd.IntN(8)))
			default:
				b = slices.Insert(b, i, b[rnd.IntN(len(b)):][:1]...)
			}
		}
		s.ask(t, b, decode.Request{})
	}
}

// declared: what is declared is nowhere in the reply, whole or in its parts.
func (s Suite) declared(t *testing.T, capture []byte, whole Reply) {
	vocabulary := string(whole.fixed()) + s.Words
	all := s.literals(t, capture, whole)
	// Of a large capture every so-manieth: more of the same takes minutes.
	for i := 0; i < len(all); i += 1 + len(all)/declaredLiterals {
		literal := all[i]
		if strings.Contains(vocabulary, literal) {
			continue // a name of the contract, which is never renamed
		}
		r := s.ask(t, capture, decode.Request{Declared: []string{literal}})
		printed := strictjson.AppendString(nil, literal)
		if r.Problem == nil && r.holds(string(printed[1:len(printed)-1])) {
			t.Errorf("the declared %q is in the reply", literal)
		}
	}
}

// declaredLiterals is how many texts of a capture are declared, about.
const declaredLiterals = 200

// fixed is the part of a reply that no capture decides.
func (r Reply) fixed() []byte {
	out := []byte(`{"binary_fields","bytes","content_base64","pointer","representation","sha256","state","retained","redacted",` +
		`"deviation_total","deviations","limitations","location","kind","json-pointer","unknown","reason","numeric_literals",` +
		`"literal","producer_type","json-number","ordinal","redactions","transport-credential","explicit-sensitive-value",` +
		`"scope","property-name","reported","records_pointer"}`)
	return append(out, fmt.Sprintf("%+v", r.Decoder)...)
}

// literals are texts and names of the capture that are worth declaring: of a
// JSON document all, else those that are shown.
func (s Suite) literals(t *testing.T, capture []byte, whole Reply) []string {
	doc := tree.Value{Kind: tree.Array, Items: []tree.Value{whole.Container}}
	for i := range whole.Records {
		doc.Items = append(doc.Items, *whole.Records[i].Get("reported"))
	}
	if s.JSON {
		var err error
		if doc, err = strictjson.Parse(capture, limits.CaptureDepth); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	var visit func(v *tree.Value)
	visit = func(v *tree.Value) {
		if name := v.Name; len(name) >= 4 {
			seen[name] = true
		}
		if text, ok := v.Str(); ok && len(text) >= 4 {
			seen[text] = true
			seen[text[len(text)/4:len(text)/4*3+1]] = true
		}
		if v.Kind == tree.Number && len(v.Text) >= 4 {
			seen[v.Text] = true
		}
		for i := range v.Items {
			visit(&v.Items[i])
		}
	}
	visit(&doc)
	out := make([]string, 0, len(seen))
	for l := range seen {
		if strings.ToValidUTF8(l, "") == l {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

// json: what every JSON format refuses.
func (s Suite) json(t *testing.T, capture []byte) {
	open := bytes.IndexByte(capture, '{') + 1
	in := func(member string) []byte {
		return slices.Concat(capture[:open], []byte(member+","), capture[open:])
	}
	for name, bad := range map[string][]byte{
		"a duplicate name":          in(`"twice":1,"twice":1`),
		"an escaped duplicate name": in(`"twice":1,"\u0074wice":1`),
		"bytes that aren't UTF-8":   in("\"x\":\"\xff\""),
		"too many levels":           in(`"deep":` + strings.Repeat("[", limits.CaptureDepth+1) + strings.Repeat("]", limits.CaptureDepth+1)),
		"a comment":                 in(`/**/"x":1`),
		"a second document":         slices.Concat(capture, capture),
		"a second BOM":              slices.Concat([]byte("\xef\xbb\xbf\xef\xbb\xbf"), bytes.TrimPrefix(capture, []byte("\xef\xbb\xbf"))),
	} {
		if r := s.ask(t, bad, decode.Request{}); r.Problem == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for name, good := range map[string][]byte{
		"equal names in two objects": in(`"x":{"twice":1},"y":{"twice":1}`),
		"as many levels as allowed":  in(`"deep":` + strings.Repeat("[", limits.CaptureDepth) + strings.Repeat("]", limits.CaptureDepth)),
		"two lone surrogates":        in(`"x":{"\ud800":1,"\ud801":2}`),
	} {
		if r := s.ask(t, good, decode.Request{}); r.Problem != nil {
			t.Errorf("%s: %v", name, r.Problem)
		}
	}
}
