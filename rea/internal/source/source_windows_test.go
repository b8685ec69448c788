package source

import "os"

// makePipe puts something in a file's place that is not a regular file:
// Windows keeps its pipes elsewhere.
func makePipe(path string) error { return os.Mkdir(path, 0o700) }
