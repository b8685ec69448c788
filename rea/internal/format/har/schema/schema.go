package schema

import (
	"embed"
	"sync"

	"rea.example/rea/internal/tree"
)

//go:embed har-schema-2.0.0/*.json
var files embed.FS

// Error is one broken rule. Nothing in it is text of the capture, but for the names
// that Pointer is made of, which are all names that the schema knows.
type Error struct {
	Pointer tree.Pointer
	Keyword string
	// SchemaPointer is what ajv calls schemaPath: the rule's place, in the file
	// that is named before the "#" where ajv inlines that file.
	SchemaPointer string
	// Expected is what the rule asks for: the name of a type or []any of several,
	// of a format, or of a required member; the text of a pattern; nil where a
	// oneOf failed, whose branches have errors of their own.
	Expected any
	// NullPostDataText says that the error is an entry's request.postData.text
	// being null where it must be a string.
	NullPostDataText bool
}

// Entry validates one item of log.entries. Pointers are relative to it. Every error
// is reported, in the order of ajv's allErrors mode, until report returns false.
func Entry(v *tree.Value, report func(Error) bool) {
	s := har()
	if s.entry.valid(v) {
		return
	}
	w := walk{report: report, postDataText: s.postDataText}
	var path room
	w.explain(s.entry, v, path[:0])
}

// Document validates all that stands around the entries. Pointers are absolute.
//
// doc is the whole document; where log.entries is an array (entriesIsArray), anything
// may stand in its place. Errors that ajv lists before those of the entries go to
// before, the others to after, each until it returns false.
func Document(doc *tree.Value, entriesIsArray bool, before, after func(Error) bool) {
	s := har()
	w := walk{report: before, turn: s.entries, after: after, skip: entriesIsArray}
	var path room
	w.explain(s.document, doc, path[:0])
}

// schemas is the compiled form of the files, and the rules in it that are special.
type schemas struct {
	document     *rule
	entries      *rule // of log.entries
	entry        *rule
	postDataText *rule // of request.postData.text
}

var har = sync.OnceValue(func() *schemas {
	s, err := compile(files)
	if err != nil {
		// The files are part of the program, so this is a fault of the program.
		panic("schema: " + err.Error())
	}
	return s
})
