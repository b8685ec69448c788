package render

import (
	"bytes"
	"io"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// JSON lays a canonical document out with two spaces and ends the line. Only
// white space is added.
func JSON(w io.Writer, document io.Reader) error {
	if err := strictjson.Indent(w, document); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// JSONValue writes a small document, indented or on one line.
func JSONValue(w io.Writer, v any, indented bool) error {
	b := strictjson.AppendValue(nil, v)
	if indented {
		return JSON(w, bytes.NewReader(b))
	}
	_, err := w.Write(append(b, '\n'))
	return err
}

// split finds a document's list of records, rows or groups, and the items in it.
// list is the zero Span where the document has none.
func split(doc []byte) (list tree.Span, items []tree.Span) {
	c := &cursor{doc: doc}
	c.members(func(name []byte) {
		if string(name) != "normalized_result" {
			c.skip()
			return
		}
		c.members(func(name []byte) {
			switch string(name) {
			case "records", "items", "groups":
				if doc[c.i] == '[' { // the records of an API surface are a count
					list.Start = c.i
					c.items(func() { items = append(items, c.skip()) })
					list.End = c.i
					return
				}
			}
			c.skip()
		})
	})
	return list, items
}

// outline builds a document but for its list, which is null in it.
func outline(doc []byte) (v tree.Value, list tree.Span, items []tree.Span) {
	var without []tree.Span
	if list, items = split(doc); list.Len() > 0 {
		without = []tree.Span{list}
	}
	return strictjson.Build(doc, tree.Span{End: len(doc)}, new(strictjson.Arena), without...), list, items
}

// JSONLines writes a canonical document as lines: first the document with null
// for its list of items, then an item a line.
func JSONLines(w io.Writer, doc []byte) error {
	list, items := split(doc)
	head := [][]byte{doc}
	if list != (tree.Span{}) {
		head = [][]byte{doc[:list.Start], []byte("null"), doc[list.End:]}
	}
	for _, b := range append(head, []byte("\n")) {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	for _, s := range items {
		if _, err := w.Write(doc[s.Start:s.End]); err != nil {
			return err
		}
		if _, err := w.Write([]byte("\n")); err != nil {
			return err
		}
	}
	return nil
}
