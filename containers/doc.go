// Package containers holds the images that the lanes judge with, builds them, and
// runs them under bounds.
//
// Every image is a value: a name, the files that it is made of (which are
// compiled in), the tool in it and the version that the tool must report. It
// promises that all of an image but its base is pinned by version and digest;
// that a build has no network; that no image is looked up in a registry unless a
// person asked for it; and that an image whose tool reports another version than
// the pin is refused.
//
// A container gets no network (or an internal one), a root file system that it
// can't write, no capability, no root, a bound on memory, processes and time, and
// labels that say when it may be swept away. Dock is the door: Open it, Ensure
// the images, Run or Start, Close. What a killed process leaves behind, the next
// Open or a Sweep removes.
package containers
