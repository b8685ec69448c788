package schema_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"rea.example/rea/internal/format/har/schema"
	"rea.example/rea/internal/judge"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// The judge has no limit of depth.
const depth = 1000

// read judges a capture with this package, in the judge's terms: the stages, the
// repair of SaveHar's null texts, and the errors in the order before, entries, after.
func read(src []byte) judge.Verdict {
	doc, err := strictjson.Parse(src, depth)
	if problem, ok := errors.AsType[*strictjson.Problem](err); ok {
		stage := map[strictjson.ProblemKind]string{strictjson.Encoding: "utf8", strictjson.Syntax: "json", strictjson.Duplicate: "duplicate"}
		return judge.Verdict{Verdict: "reject", Stage: stage[problem.Kind]}
	}
	creator := doc.At("log", "creator")
	name, _ := creator.Get("name").Str()
	version, _ := creator.Get("version").Str()
	saveHar := name == "mitmproxy" && version == "12.2.3"

	var before, inside, after []judge.Row
	var entries []tree.Value
	isArray := false
	if v := doc.At("log", "entries"); v != nil && v.Kind == tree.Array {
		isArray, entries = true, v.Items
		v.SetNull()
	}
	schema.Document(&doc, isArray, collect(&before), collect(&after))
	for i := range entries {
		prefix := tree.Pointer("/log/entries").Item(i)
		schema.Entry(&entries[i], func(e schema.Error) bool {
			if !e.NullPostDataText || !saveHar {
				e.Pointer = prefix + e.Pointer
				inside = append(inside, row(e))
			}
			return true
		})
	}
	all := append(append(before, inside...), after...)
	if len(all) > 0 {
		return judge.Verdict{Verdict: "reject", Stage: "schema", Pointer: all[0].Pointer, Keyword: all[0].Keyword, All: all}
	}
	if v, _ := doc.At("log", "version").Str(); v != "1.2" {
		return judge.Verdict{Verdict: "reject", Stage: "version", Pointer: "/log/version"}
	}
	return judge.Verdict{Verdict: "accept"}
}

func collect(rows *[]judge.Row) func(schema.Error) bool {
	return func(e schema.Error) bool {
		*rows = append(*rows, row(e))
		return true
	}
}

// row is an error in ajv's terms.
func row(e schema.Error) judge.Row {
	param := map[string]string{"type": "type", "format": "format", "pattern": "pattern", "required": "missingProperty"}[e.Keyword]
	r := judge.Row{Pointer: e.Pointer, Keyword: e.Keyword, SchemaPointer: e.SchemaPointer}
	if param != "" {
		r.Params = map[string]any{param: e.Expected}
	}
	return r
}

// diff says where two verdicts differ, or "". The numbers of the branches that a
// oneOf passed are not reported by this package, and so not compared.
func diff(got, want judge.Verdict) string {
	if got.Verdict != want.Verdict || got.Stage != want.Stage || got.Pointer != want.Pointer || got.Keyword != want.Keyword {
		return fmt.Sprintf("got %s %s %q %s, the judge says %s %s %q %s",
			got.Verdict, got.Stage, got.Pointer, got.Keyword, want.Verdict, want.Stage, want.Pointer, want.Keyword)
	}
	for i := range max(len(got.All), len(want.All)) {
		var g, w string
		if i < len(got.All) {
			g = line(got.All[i])
		}
		if i < len(want.All) {
			w = line(want.All[i])
		}
		if g != w {
			return fmt.Sprintf("error %d is %s, the judge says %s", i, g, w)
		}
	}
	return ""
}

func line(r judge.Row) string {
	if r.Keyword == "oneOf" {
		r.Params = nil
	}
	return fmt.Sprintf("%q %s %s %v", r.Pointer, r.Keyword, r.SchemaPointer, r.Params)
}

// edit gives the source with the value at a pointer replaced by JSON text, or added
// to its object. Empty text takes a member away, by another name.
func edit(t testing.TB, src []byte, pointer tree.Pointer, text string) []byte {
	t.Helper()
	doc, err := strictjson.Parse(src, depth)
	if err != nil {
		t.Fatal(err)
	}
	tokens := pointer.Tokens()
	v, parent := &doc, (*tree.Value)(nil)
	for i, token := range tokens {
		parent = v
		if v.Kind == tree.Array {
			n, err := strconv.Atoi(token)
			if err != nil || n >= len(v.Items) {
				t.Fatalf("%s leads nowhere", pointer)
			}
			v = &v.Items[n]
		} else {
			v = v.Get(token)
		}
		if v == nil && i < len(tokens)-1 {
			t.Fatalf("%s leads nowhere", pointer)
		}
	}
	if v == nil {
		name := strconv.Quote(tokens[len(tokens)-1])
		if len(parent.Items) > 0 {
			text += ","
		}
		return splice(src, tree.Span{Start: int(parent.Offset) + 1, End: int(parent.Offset) + 1}, name+":"+text)
	}
	if text == "" {
		return splice(src, nameOf(src, v), `"_gone"`)
	}
	return splice(src, spanOf(src, v), text)
}

// spanOf is where a value that was read from src stands in it.
func spanOf(src []byte, v *tree.Value) tree.Span {
	return tree.Span{Start: int(v.Offset), End: strictjson.Skip(src, int(v.Offset))}
}

// nameOf is where the name of a member stands, quotes included. No name in the
// captures of these tests has an escape.
func nameOf(src []byte, v *tree.Value) tree.Span {
	end := bytes.LastIndexByte(src[:v.Offset], '"')
	return tree.Span{Start: bytes.LastIndexByte(src[:end], '"'), End: end + 1}
}

func splice(src []byte, span tree.Span, text string) []byte {
	return bytes.Join([][]byte{src[:span.Start], []byte(text), src[span.End:]}, nil)
}
