// Package junit writes results as the XML that continuous integration systems read:
// one suite for each lane, one case for each check.
//
// There is no standard. The document keeps to what the schemas of the Ant task and
// of the Jenkins plug-in have in common, which junit.xsd says in our own words. A
// check that was not run is skipped; so is, as a case of its own, a lane that is
// unavailable. A lane that did not finish is an error, which says how many checks an
// interruption prevented: those are no cases.
//
// It promises the same bytes for the same results, and well-formed XML whatever a
// check quotes.
package junit
