// Package supply fetches what images are made of, on the host: Python wheels,
// npm packages, and the file system of a Debian to stand on.
//
// It promises that each wheel has a digest that the committed lock names, checked
// when it arrives and again each time it is handed out; that npm checks each
// package against the committed lock in the same way; that a folder is complete
// or not there, whoever else fetches at the same time; and that everything lies
// in the cache folder, none of it in the source tree. The registries and the
// credentials for them are those that pip, npm and apt are set up with here: none
// is named in this repository, and none gets into an image.
package supply
