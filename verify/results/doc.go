// Package results gathers the reports of one run of the workbench, and compares
// two runs.
//
// A run is a folder of reports, or one report alone. Of several reports of one
// lane the newest counts. A lane whose report still says "running" is unfinished:
// it never passed.
//
// It promises an order that the reports alone decide, so that whatever is made of
// them comes out the same every time. It will never change a verdict, nor read
// anything but the files beside the reports.
package results
