package targets

import (
	"context"
	"os"

	"rea.example/verify/views"
)

// Report shows a report, or the newest of each lane in a folder; checks attestations; writes HTML, JUnit, Markdown.
func Report(
	ctx context.Context,
	path string, // a report, or a folder of reports
	before *string, // another, to compare with
	key *string, // public key in PEM: the attestation beside each report has to be its
	here *bool, // with -key: the product, images and corpora that it names have to be those of this machine
	html *string, // file for the page with the matrix of lanes by checks
	junit *string, // file for the JUnit XML
	markdown *string, // file for the summary
) error {
	return views.Show(ctx, os.Stdout, views.Options{
		Path: path, Before: or(before), Key: or(key), Here: here != nil && *here,
		HTML: or(html), JUnit: or(junit), Markdown: or(markdown),
	})
}
