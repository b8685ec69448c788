package redact

import "slices"

// maxNodes is how many nodes all automata may have, and so how many different
// beginnings of literals they may know. It is less than 1<<24, which is what the
// numbers in a node have room for.
const maxNodes = 1 << 22

// An automaton finds whether a text holds one of many literals. It looks at
// each byte of the text a bounded number of times on average, whatever the
// literals have in common (Aho and Corasick, Efficient string matching, 1975).
//
// Declarations may take megabytes and the decoder has little memory to spare. A
// node takes four bytes and two bits, and a literal twelve more: 17 MiB for as many
// nodes as there may be, and another 12 when they belong to a million literals.
type automaton struct {
	first filter
	// nodes are the beginnings of the literals in sorted order, each once; the
	// first is the empty one, the root. The node behind one that ends no literal is
	// its least child. The lowest eight bits of a node are the byte that led to it,
	// the others are its fail: the longest other node that it ends with.
	nodes []uint32
	// ends has a bit for each node that ends with a whole literal.
	ends []uint64
	// forks lead to the children that are not least. They are hashed, and at least
	// a third of the places is free.
	forks []fork
}

// fork leads from a node and a byte to a child. Where nothing stands it leads to
// the root, which is nobody's child.
type fork struct{ from, to uint32 }

// newAutomaton takes literals in order, of which none is empty or a prefix of
// another, and which have less than 1<<24 different beginnings.
func newAutomaton(literals []string) *automaton {
	branches := make([]branch, len(literals))
	n, before := 1, ""
	for i, l := range literals {
		shared := sharedPrefix(before, l)
		branches[i] = branch{depth: uint32(shared), node: uint32(n), end: uint32(n + len(l) - shared)}
		n += len(l) - shared
		before = l
	}
	x := &automaton{
		first: newFilter(literals),
		nodes: make([]uint32, n),
		ends:  make([]uint64, n/64+1),
		forks: make([]fork, len(literals)*3/2+1),
	}
	x.grow(literals, branches)
	x.link(branches)
	return x
}

// branch is what one literal adds to the tree: nodes from one up to another,
// below a parent at a depth.
type branch struct{ parent, depth, node, end uint32 }

// grow makes the tree, and finds the branches' parents.
func (x *automaton) grow(literals []string, branches []branch) {
	var path []branch // of which the present literal is made
	for i := range branches {
		b, l := &branches[i], literals[i]
		for len(path) > 0 && path[len(path)-1].depth >= b.depth {
			path = path[:len(path)-1]
		}
		if len(path) > 0 {
			p := path[len(path)-1]
			b.parent = p.node + b.depth - p.depth - 1
		}
		path = append(path, *b)
		for k := range int(b.end - b.node) {
			x.nodes[int(b.node)+k] = uint32(l[int(b.depth)+k])
		}
		x.end(b.end - 1)
		if b.node == b.parent+1 {
			continue
		}
		from := b.parent<<8 | x.nodes[b.node]
		*x.fork(from) = fork{from, b.node}
	}
}

// link finds where the nodes fail to, the shallow ones first: theirs are what
// those of deeper ones are made of.
func (x *automaton) link(branches []branch) {
	slices.SortFunc(branches, func(a, b branch) int { return int(a.depth) - int(b.depth) })
	growing, next := branches[:0], 0
	for depth := uint32(0); len(growing) > 0 || next < len(branches); depth++ {
		for next < len(branches) && branches[next].depth == depth {
			growing = append(growing, branches[next])
			next++
		}
		left := growing[:0]
		for _, b := range growing {
			x.linkNode(b.parent, b.node)
			if b.parent, b.node = b.node, b.node+1; b.node < b.end {
				left = append(left, b)
			}
		}
		growing = left
	}
}

func (x *automaton) linkNode(parent, node uint32) {
	if parent == 0 {
		return
	}
	if x.ended(parent) {
		x.end(node) // and nobody gets here
		return
	}
	to := x.step(x.nodes[parent]>>8, byte(x.nodes[node]))
	x.nodes[node] |= to << 8
	if x.ended(to) {
		x.end(node)
	}
}

func (x *automaton) end(node uint32)        { x.ends[node/64] |= 1 << (node % 64) }
func (x *automaton) ended(node uint32) bool { return x.ends[node/64]&(1<<(node%64)) != 0 }

// fork gives the fork from there, or the free place where it would stand.
func (x *automaton) fork(from uint32) *fork {
	at := int(uint64(from*0x9e3779b1) * uint64(len(x.forks)) >> 32)
	for x.forks[at].to != 0 && x.forks[at].from != from {
		if at++; at == len(x.forks) {
			at = 0
		}
	}
	return &x.forks[at]
}

// step gives the longest node that the text of a node and one more byte end
// with. No literal may have ended at the node.
func (x *automaton) step(node uint32, c byte) uint32 {
	for {
		if least := x.nodes[node+1]; byte(least) == c {
			return node + 1
		}
		if f := x.fork(node<<8 | uint32(c)); f.to != 0 {
			return f.to
		}
		if node == 0 {
			return 0
		}
		node = x.nodes[node] >> 8
	}
}

func (x *automaton) in(text string) bool {
	node := uint32(0)
	for i := 0; i < len(text); i++ {
		if node == 0 {
			if i = x.first.next(text, i); i < 0 {
				return false
			}
		}
		if node = x.step(node, text[i]); x.ended(node) {
			return true
		}
	}
	return false
}
