// Package surface groups the requests of a HAR by method, origin and path once
// more, from the rules as they are written for people.
//
// It is slow and simple, takes origins from whoever asks a browser's URL parser,
// and shares no code with the product. It promises every group of a capture, in
// order. It will never page, nor bound anything.
package surface
