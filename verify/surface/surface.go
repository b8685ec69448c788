package surface

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"rea.example/verify/harfile"
)

// Record is one record as it is reported.
type Record struct {
	Ordinal  int
	Reported any
	Redacted bool // a redaction stands at /request/url
}

// Group is one group of requests.
type Group struct {
	Method, Origin, Template string
	Ordinals                 []int
	Statuses                 []string
	MIMETypes                []string
	UnknownStatuses          int
	UnknownMIMETypes         int
	Segments                 []Segment
	Flags                    []string
}

// Segment is a part of the path that a rule matched.
type Segment struct {
	Index    int
	Rule     string
	Literals []string // in the order of their bytes
}

// Origins tells the origin of a URL, as a browser has it; empty where there is
// none.
type Origins func(url string) string

// URLs are those that an origin will be asked of.
func URLs(records []Record) []string {
	var list []string
	for _, r := range records {
		if u, ok := harfile.At(r.Reported, "request", "url").(string); ok {
			list = append(list, u)
		}
	}
	return list
}

// spelled is a URL with a scheme and an authority behind two slashes, and its path
// as it is written.
var spelled = regexp.MustCompile(`^[\x00-\x20]*[A-Za-z][A-Za-z0-9+.-]*://([^/?#]+)([^?#]*)`)

var rules = []struct {
	name    string
	matches func(string) bool
}{
	{"numeric", regexp.MustCompile(`^[0-9]+$`).MatchString},
	{"uuid", regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`).MatchString},
	{"hex", regexp.MustCompile(`^[0-9a-fA-F]{32,}$`).MatchString},
	{"iso-date", isDate},
}

func isDate(s string) bool {
	t, err := time.Parse(time.DateOnly, s)
	return err == nil && t.Year() >= 1 && len(s) == len(time.DateOnly)
}

// Compute groups the records, and says why some are in no group.
func Compute(records []Record, origin Origins) (groups []Group, excluded map[int]string) {
	excluded = map[int]string{}
	byKey := map[string]*Group{}
	for _, r := range records {
		method, address, why := request(r)
		if why == "" {
			why = group(byKey, r, method, address, origin)
		}
		if why != "" {
			excluded[r.Ordinal] = why
		}
	}
	for _, g := range byKey {
		g.settle()
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		for _, c := range []int{compare(a.Origin, b.Origin), compare(a.Template, b.Template), compare(a.Method, b.Method)} {
			if c != 0 {
				return c
			}
		}
		return strings.Compare(fmt.Sprint(a.Segments), fmt.Sprint(b.Segments))
	})
	return groups, excluded
}

// compare orders by UTF-16 units.
func compare(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

func request(r Record) (method, address, why string) {
	if _, ok := harfile.At(r.Reported, "request").(map[string]any); !ok {
		return "", "", "request-unavailable"
	}
	method, hasMethod := harfile.At(r.Reported, "request", "method").(string)
	address, hasURL := harfile.At(r.Reported, "request", "url").(string)
	switch {
	case !hasURL && r.Redacted:
		return "", "", "url-redacted"
	case !hasURL:
		return "", "", "url-unavailable"
	case !hasMethod:
		return "", "", "method-unavailable"
	}
	return method, address, ""
}

func group(byKey map[string]*Group, r Record, method, address string, origin Origins) (why string) {
	parts := spelled.FindStringSubmatch(address)
	from := origin(address)
	// A browser ends an authority at a backslash, too, and then it isn't spelled out.
	if parts == nil || from == "" || strings.ContainsAny(parts[1], "\t\r\n\\") {
		return "url-unparseable"
	}
	path := strings.TrimPrefix(parts[2], "/")
	template, key := "", method+"\x00"+from
	var found []Segment
	for i, segment := range strings.Split(path, "/") {
		template += "/"
		at := slices.IndexFunc(rules, func(rule struct {
			name    string
			matches func(string) bool
		}) bool {
			return rule.matches(segment)
		})
		if at < 0 {
			template += segment
			key += "\x00" + segment
			continue
		}
		template += "{" + rules[at].name + "}"
		key += "\x01" + rules[at].name
		found = append(found, Segment{i, rules[at].name, []string{segment}})
	}
	g := byKey[key]
	if g == nil {
		g = &Group{Method: method, Origin: from, Template: template, Segments: found}
		byKey[key] = g
	} else {
		for i, s := range found {
			g.Segments[i].Literals = append(g.Segments[i].Literals, s.Literals...)
		}
	}
	g.Ordinals = append(g.Ordinals, r.Ordinal)
	g.response(r)
	return ""
}

var essence = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+$")

func (g *Group) response(r Record) {
	status, _ := harfile.At(r.Reported, "response", "status").(json.Number)
	if n, err := strconv.ParseFloat(status.String(), 64); err != nil || n == 0 {
		g.UnknownStatuses++
	} else {
		g.Statuses = append(g.Statuses, strconv.FormatFloat(n, 'f', -1, 64))
	}
	text, _ := harfile.At(r.Reported, "response", "content", "mimeType").(string)
	text, _, _ = strings.Cut(strings.ToLower(text), ";")
	if text = strings.Trim(text, " \t\r\n"); essence.MatchString(text) {
		g.MIMETypes = append(g.MIMETypes, text)
	} else {
		g.UnknownMIMETypes++
	}
}

// settle makes sets of what was gathered, and sees what is odd.
func (g *Group) settle() {
	for i := range g.Segments {
		g.Segments[i].Literals = set(g.Segments[i].Literals)
	}
	g.Statuses, g.MIMETypes = set(g.Statuses), set(g.MIMETypes)
	slices.Sort(g.Ordinals)
	if len(g.Ordinals) == 1 {
		g.Flags = append(g.Flags, "single-sample")
	}
	if len(g.Statuses) > 1 {
		g.Flags = append(g.Flags, "mixed-statuses")
	}
	if len(g.MIMETypes) > 1 {
		g.Flags = append(g.Flags, "mixed-content-types")
	}
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
