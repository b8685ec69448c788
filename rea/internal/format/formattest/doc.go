// Package formattest is the conformance suite that every format must pass: what
// the rest of the program relies on, whatever the format.
//
// A format's test hands it captures and its name; the suite runs the decoder
// over them, whole, broken and under declarations. It is used by tests only.
package formattest
