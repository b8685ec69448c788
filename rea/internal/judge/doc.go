// Package judge asks the npm packages that settle what a valid HAR is. It is for
// tests only: nothing but _test.go files imports it.
//
// Start runs node on serve.mjs, in the directory that REA_NPM_HAR names or else in
// rea-workbench/npm-har under the user's cache directory, where the scripts of
// containers/npm-har and their packages have to be installed. The process ends with
// the test that started it. If node or the packages are not there, the tests go on
// with verdicts that were recorded earlier, and the test log says which judge was
// used; where the environment has CI=true, their absence is a failure.
//
// It runs a program, which in the product only owned may do. It never installs
// anything, and never talks to a network.
package judge
