// Package bench is what a lane stands on while it runs: the product, the judge,
// a private folder, and the list of checks that becomes its report.
//
// It promises that a check which was begun stands in the report, whatever it
// came to, and that everything it made is gone afterwards. It will never decide
// what is to be compared; lanes do.
package bench
