package app

import "strings"

// placesOnly keeps the lines of a stack that name a file and line. The others
// print arguments, which may be anything.
func placesOnly(stack string) string {
	var out []string
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "\t") {
			place, _, _ := strings.Cut(strings.TrimSpace(line), " +0x")
			out = append(out, place)
		}
	}
	return strings.Join(out, "\n")
}
