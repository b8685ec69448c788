package saz

import "rea.example/rea/internal/tree"

// nodes is memory for the values of one record, used again for the next.
type nodes struct {
	block []tree.Value
	used  int
}

// keep bounds, in values, what is held for the next record.
const keep = 1 << 12

// reset frees the values of the last record.
func (n *nodes) reset() {
	n.used = 0
	if len(n.block) > keep {
		n.block = nil
	}
}

// take gives room for some values.
func (n *nodes) take(count int) []tree.Value {
	if n.used+count > len(n.block) {
		// The values in the old block stay where they are.
		n.block, n.used = make([]tree.Value, max(count, min(2*len(n.block), keep), 256)), 0
	}
	out := n.block[n.used : n.used+count : n.used+count]
	n.used += count
	return out
}

// list copies values into the memory, as an array.
func (n *nodes) list(name string, items []tree.Value) tree.Value {
	out := n.take(len(items))
	copy(out, items)
	return tree.Value{Kind: tree.Array, Name: name, Items: out}
}

// object is a list of named values.
func (n *nodes) object(name string, members ...tree.Value) tree.Value {
	v := n.list(name, members)
	v.Kind = tree.Object
	return v
}

// constant is a text of the contract, which JSON spells as it is.
func constant(name, s string) tree.Value {
	return tree.Value{Kind: tree.String, Name: name, Text: s, Raw: true}
}

func text(name, s string) tree.Value {
	return tree.Value{Kind: tree.String, Name: name, Text: s}
}

func null(name string) tree.Value { return tree.Value{Name: name} }

// count is a number that this program found, and the producer did not write.
func count(name, decimal string) tree.Value {
	return tree.Value{Kind: tree.Number, Name: name, Text: decimal, Mark: tree.Counted}
}

// octets are the bytes of a member, or some of them.
func octets(name string, b []byte) tree.Value {
	return tree.Value{Kind: tree.Bytes, Name: name, Text: view(b)}
}
