package saz

// Archive makes an archive with a comment, for the test that goes through the
// decoder: this package is below that.
func Archive(comment string, pairs ...string) []byte {
	f := archiveFile{comment: comment}
	for i := 0; i < len(pairs); i += 2 {
		f.entries = append(f.entries, entry{name: pairs[i], data: pairs[i+1]})
	}
	return f.bytes()
}
