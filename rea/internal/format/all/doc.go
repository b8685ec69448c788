// Package all is the one list of the formats that this program reads. Help,
// schemas, the argument contract and the decoder take their names from it.
//
// It holds a slice and nothing that runs at start-up.
package all
