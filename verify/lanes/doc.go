// Package lanes is the list of verification lanes, one file for each.
//
// A lane promises to compare two independent readings: what the product says,
// and what the reference or a plain second reading says. It will never compare
// the product with its own code.
package lanes
