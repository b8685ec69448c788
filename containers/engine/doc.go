// Package engine is what the workbench asks of a container engine, and the one
// answer to it: any engine that speaks Docker's API, local or remote.
//
// It promises that an image which is not there is an error and never a question
// to a registry (Pull is the only call that asks one); that a container starts
// with exactly the bounds that its plan names; and that what can't be reached is
// ErrUnavailable with a reason a person can act on. It decides nothing: which
// images, which bounds and when to clean up stand in package containers.
//
// Install is the exception that a person has to ask for by name: on Debian, as
// root, it installs the engine and starts it.
package engine
