package saz

import (
	"strings"
	"unicode/utf8"
)

// role is what a member is to its session.
type role uint8

const (
	other role = iota
	request
	response
	metadata
	websocket
	grpc
	roles // how many there are
)

// roleNames are the roles as the inventory and a record's members name them.
var roleNames = [roles]string{"other", "request", "response", "metadata", "websocket", "grpc"}

// suffixes tell the role of raw/<stem><suffix>.
var suffixes = [roles]string{request: "_c.txt", response: "_s.txt", metadata: "_m.xml", websocket: "_w.txt", grpc: "_g.txt"}

const folder = "raw/"

// legible refuses a name that can't be shown as it is, or that some readers take
// for another. Such a name can't name the member in a failure either.
func legible(name string, marked bool) error {
	switch {
	case marked && !utf8.ValidString(name):
		return malformed("", "the name of a member is marked as UTF-8 and is not")
	case !utf8.ValidString(name):
		return unsupported("", "the name of a member is not UTF-8, and its code page is not recorded")
	case strings.IndexByte(name, 0) >= 0:
		return unsupported("", "the name of a member holds a NUL, where some readers end it")
	}
	return nil
}

// isDirectory says whether a name is that of a directory (APPNOTE 4.4.17).
func isDirectory(name string) bool { return strings.HasSuffix(name, "/") }

// place finds the session and role of a member. known is false for a name that
// stands in the folder of the sessions, or that some reader would put there, and
// is not spelled as a session's member is.
func place(name string) (r role, stem string, known bool) {
	rest, inside := strings.CutPrefix(name, folder)
	if inside && !strings.ContainsAny(rest, `/\`) {
		for r := request; r < roles; r++ {
			if stem, ok := strings.CutSuffix(rest, suffixes[r]); ok && stem != "" {
				return r, stem, true
			}
		}
	}
	if isDirectory(name) {
		return other, "", true
	}
	return other, "", !inside && !underFolder(name)
}

// underFolder says whether a reader that forgives much would put a member into
// the folder: one that takes backslashes for slashes, drops drive letters and
// leading slashes, resolves dots, and knows no case, nor dots and blanks at the end
// of a name, as Windows does.
func underFolder(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	if len(name) >= 2 && name[1] == ':' {
		name = name[2:]
	}
	var path []string
	for _, step := range strings.Split(name, "/") {
		switch {
		case step == "..":
			path = path[:max(0, len(path)-1)]
		case strings.TrimRight(step, " .") != "":
			path = append(path, strings.TrimRight(step, " ."))
		}
	}
	return len(path) > 1 && path[0]+"/" == folder
}
