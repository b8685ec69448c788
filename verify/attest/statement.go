package attest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

// The types that the statement names: in-toto attestation framework, statement
// version 1, predicate "test result" version 0.1.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
	payloadType   = "application/vnd.in-toto+json"
)

// Statement says that something was tested, with what, and how it went.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     Predicate  `json:"predicate"`
}

// Resource is something that its digest names.
type Resource struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest"` // by algorithm: "sha256", "gitCommit"
}

// Predicate is the test result.
type Predicate struct {
	Result        string     `json:"result"` // PASSED, WARNED or FAILED
	Configuration []Resource `json:"configuration"`
	// The names of checks, in the report's order. One that was not run is in
	// neither list, and makes PASSED a WARNED.
	PassedTests []string `json:"passedTests"`
	WarnedTests []string `json:"warnedTests"`
	FailedTests []string `json:"failedTests"`
}

// ErrNothing says that there is nothing to attest. Errors that wrap it say why.
var ErrNothing = errors.New("nothing was tested")

// The places of the subjects.
const (
	aboutReport = iota
	aboutProduct
	subjects
)

// About makes the statement about a report, which is given as the bytes of its
// file. It fails for a report that tested nothing: it does not speak of a product.
func About(name string, data []byte) (Statement, error) {
	r, err := report.Parse(data)
	if err != nil {
		return Statement{}, fmt.Errorf("attest: %s is no report: %w", name, err)
	}
	verdict := results.Lane{Report: r}.Verdict()
	if r.Status == report.Interrupted {
		return Statement{}, fmt.Errorf("attest: %w to its end: the lane of %s was interrupted", ErrNothing, name)
	}
	if r.Product == nil || verdict != report.Passed && verdict != report.Failed {
		return Statement{}, fmt.Errorf("attest: %w: the lane of %s is %s", ErrNothing, name, verdict)
	}
	product, err := resource(r.Product.Version, "sha256:"+r.Product.SHA256)
	if err != nil {
		return Statement{}, err
	}
	sum := sha256.Sum256(data)
	s := Statement{
		Type: statementType, PredicateType: predicateType,
		Subject: []Resource{{name, map[string]string{"sha256": hex.EncodeToString(sum[:])}}, product},
		Predicate: Predicate{
			Result: "PASSED", Configuration: []Resource{}, PassedTests: []string{}, WarnedTests: []string{}, FailedTests: []string{},
		},
	}
	p := &s.Predicate
	for _, pin := range r.Pins {
		for _, digest := range pin.Digests {
			each, err := resource(pin.Name, digest)
			if err != nil {
				return Statement{}, err
			}
			p.Configuration = append(p.Configuration, each)
		}
	}
	for _, c := range r.Checks {
		switch c.Verdict {
		case report.Passed:
			p.PassedTests = append(p.PassedTests, c.Name)
		case report.Failed:
			p.FailedTests = append(p.FailedTests, c.Name)
		default:
			p.Result = "WARNED"
		}
	}
	if verdict == report.Failed {
		p.Result = "FAILED"
	}
	return s, nil
}

var digestForm = regexp.MustCompile(`^(sha256:[0-9a-f]{64}|gitCommit:[0-9a-f]{40})$`)

func resource(name, digest string) (Resource, error) {
	if !digestForm.MatchString(digest) {
		return Resource{}, fmt.Errorf("attest: what the report gives for %q is no digest", name)
	}
	algorithm, value, _ := strings.Cut(digest, ":")
	return Resource{name, map[string]string{algorithm: value}}, nil
}

// Covers says whether the statement is the one about this report: nil, or every
// part in which they differ.
func (s Statement) Covers(data []byte) error {
	if s.Type != statementType || s.PredicateType != predicateType {
		return errors.New("attest: the statement is of another type")
	}
	if len(s.Subject) != subjects {
		return fmt.Errorf("attest: the statement has %s, not a report and a product", results.Counted(len(s.Subject), "subject"))
	}
	// Under another name a report is still the same.
	want, err := About(s.Subject[aboutReport].Name, data)
	if err != nil {
		return err
	}
	var errs []error
	differ := func(part string, same bool) {
		if !same {
			errs = append(errs, fmt.Errorf("attest: %s is not the one that was attested", part))
		}
	}
	differ("the report", same(s.Subject[aboutReport], want.Subject[aboutReport]))
	differ("the product in the report", same(s.Subject[aboutProduct], want.Subject[aboutProduct]))
	differ("the result", s.Predicate.Result == want.Predicate.Result)
	differ("the list of passed checks", slices.Equal(s.Predicate.PassedTests, want.Predicate.PassedTests))
	differ("the list of checks with warnings", slices.Equal(s.Predicate.WarnedTests, want.Predicate.WarnedTests))
	differ("the list of failed checks", slices.Equal(s.Predicate.FailedTests, want.Predicate.FailedTests))
	have := grouped(s.Predicate.Configuration)
	for _, g := range grouped(want.Predicate.Configuration) {
		differ(g.name, slices.ContainsFunc(have, g.equal))
	}
	differ("the number of things it was tested with", len(s.Predicate.Configuration) == len(want.Predicate.Configuration))
	return errors.Join(errs...)
}

func same(a, b Resource) bool { return a.Name == b.Name && maps.Equal(a.Digest, b.Digest) }

// group is what shares a name: the layers of one image, in their order.
type group struct {
	name string
	list []Resource
}

func (g group) equal(other group) bool {
	return g.name == other.name && slices.EqualFunc(g.list, other.list, same)
}

func grouped(list []Resource) (groups []group) {
	for _, r := range list {
		at := slices.IndexFunc(groups, func(g group) bool { return g.name == r.Name })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{name: r.Name})
		}
		groups[at].list = append(groups[at].list, r)
	}
	return groups
}
