// Package viewtest makes the Evidence of captures that tests of views look at,
// without a capture and without a decoder. Only tests import it.
//
// What it makes has the shape that the program gives out and a valid identifier;
// what is in it is the test's.
package viewtest
