// Package workspace knows where things are: the root of the two modules, and
// the cache folder that holds everything the workbench makes.
//
// It promises that nothing built, downloaded or reported lands in the source
// tree, and that a private folder is nobody else's for as long as its process
// lives and is swept by the next one after that. It will never change a file of
// either module.
package workspace
