// Package source reads one capture file exactly once, in a way that a file
// which is replaced, rewritten or still growing cannot slip through, and keeps
// what it read as a private copy with its SHA-256.
//
// A Room is the private directory of one call. It is made readable by its
// owner only, it can lose its name while its files are still in use, and when
// it is closed it says which paths, if any, it could not remove. A room whose
// owner was killed is found and removed by the next one.
//
// Read takes a regular file that is named by its own path, never one behind a
// symbolic link, and never waits for a pipe or a device. Between the first look
// and the last one the file must stay the same in device, inode, size,
// modification time and change time, and the bytes copied must be as many as
// the size says; else the answer is artifact_changed and the copy is of no use
// to anyone.
//
// It never interprets a byte of the capture, never writes to it, and never
// keeps a copy longer than its room.
package source
