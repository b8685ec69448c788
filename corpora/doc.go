// Package corpora fetches captures that other people published in their
// repositories, and never holds one itself: a lock file here names the
// repository, the commit and the paths.
//
// The commit is the pin, and git's content addressing its proof: a file is taken
// when its git id is the one in the tree of that commit. The first verified fetch
// records sizes and SHA-256 in the lock, and every later one must find the same.
//
// It promises that a file in the cache is whole or not there, that two fetches at
// once do not disturb each other, that an interrupted one goes on where it
// stopped, and that a repository which can't be reached is ErrUnavailable with
// the reason. It will never follow a branch, nor write anything into the source
// tree but that record.
package corpora
