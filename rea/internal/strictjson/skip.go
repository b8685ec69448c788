package strictjson

// Skip gives the end of the value that begins at src[i], in bytes that Check
// accepted or that this package wrote. It looks at brackets and quotes alone, so
// what is of no use to a reader costs it next to nothing.
func Skip(src []byte, i int) int {
	depth := 0
	for {
		switch class[src[i]] {
		case quote:
			i = closing(src, i+1)
		case opening:
			depth++
		case ending:
			depth--
		case plain:
			if depth == 0 {
				return scalar(src, i)
			}
		}
		i++
		if depth == 0 {
			return i
		}
	}
}

// scalar gives the end of the number, null or truth value that begins at i.
func scalar(src []byte, i int) int {
	for i < len(src) && class[src[i]] == plain && space(src, i) == i {
		i++
	}
	return i
}
