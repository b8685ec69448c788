// Package product builds the program under test and runs it as a user would.
//
// It promises a black box: the program is known by its command line, its exit
// status and the documents it prints, which are read into types of this
// package's own. It will never import a package of the product.
package product
