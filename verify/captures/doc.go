// Package captures reads a folder of real captures and the table that says where
// each one comes from and what it holds.
//
// It promises that a file it gives out has the size and the SHA-256 that the
// table pins, so a verdict is always about known bytes. It will never download
// or change anything.
package captures
