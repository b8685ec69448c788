package lanes

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/product"
)

const credential = "transport-credential"

// credentialHeaders carry authentication in their values, whatever their case.
var credentialHeaders = []string{"authorization", "proxy-authorization", "cookie", "set-cookie"}

// sameID recomputes the identifier from the printed document alone: compact it,
// which leaves the canonical bytes, take out what is not part of the identity,
// and digest the rest.
func sameID(document []byte, id string) error {
	envelope, err := members(document)
	if err != nil {
		return err
	}
	delete(envelope, "evidence_id")
	if subject := envelope["subject"]; string(subject) != "null" {
		parts, err := members(subject)
		if err != nil {
			return err
		}
		maps.DeleteFunc(parts, func(name string, _ []byte) bool {
			return name != "digest" && name != "format" && name != "architecture"
		})
		envelope["subject"] = object(parts)
	}
	if want := "ev_" + captures.Digest(object(envelope)); id != want {
		return fmt.Errorf("evidence_id is not the digest of the document, which is %s", want)
	}
	return nil
}

// members gives the members of an object, each as compact text.
func members(document []byte) (map[string][]byte, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, document); err != nil {
		return nil, errors.New("the document is not JSON")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(compact.Bytes(), &raw); err != nil {
		return nil, errors.New("the document is no object")
	}
	out := make(map[string][]byte, len(raw))
	for name, value := range raw {
		out[name] = value
	}
	return out, nil
}

// object writes members whose names are plain ASCII in canonical order.
func object(members map[string][]byte) []byte {
	b := []byte("{")
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, name), ':'), members[name]...)
	}
	return append(b, '}')
}

func sameArtifact(e *product.Evidence, f captures.File, r *harfile.File) error {
	result := e.Result
	if result.Artifact.SHA256 == nil || *result.Artifact.SHA256 != f.SHA256 || result.Artifact.Bytes != f.Bytes {
		return errors.New("the artifact's digest or size is not the file's")
	}
	if result.TotalRecords != len(r.Entries) || len(result.Records) != len(r.Entries) {
		return fmt.Errorf("%d records, %d in all; the file has %d", len(result.Records), result.TotalRecords, len(r.Entries))
	}
	for i, record := range result.Records {
		want := "/log/entries/" + strconv.Itoa(i)
		if record.Ordinal != i || record.Location.Kind != "json-pointer" || record.Location.Pointer != want {
			return fmt.Errorf("record %d says ordinal %d at %q", i, record.Ordinal, record.Location.Pointer)
		}
	}
	if p := result.Container.RecordsPointer; p == nil || *p != "/log/entries" {
		return errors.New("the container does not say where its records are")
	}
	if e.Provider != result.Decoder {
		return errors.New("provider and decoder differ")
	}
	return nil
}

func sameNumbers(e *product.Evidence, r *harfile.File) error {
	if err := sameLiterals(e.Result.Container.NumericLiterals, r.Container.Numbers); err != nil {
		return fmt.Errorf("container: %w", err)
	}
	for i, record := range e.Result.Records {
		if err := sameLiterals(record.NumericLiterals, r.Entries[i].Numbers); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

func sameLiterals(got []product.Literal, want map[string]string) error {
	seen := make(map[string]string, len(got))
	for _, l := range got {
		seen[l.Pointer] = l.Literal
	}
	if len(got) != len(want) || !maps.Equal(seen, want) {
		return fmt.Errorf("%d number literals; the file has %d, or spells one otherwise", len(got), len(want))
	}
	return nil
}

func sameBodies(e *product.Evidence, r *harfile.File) error {
	for i, record := range e.Result.Records {
		want := r.Entries[i].Body
		if want == nil {
			if len(record.BinaryFields) > 0 {
				return fmt.Errorf("record %d: bytes for a body that establishes none", i)
			}
			continue
		}
		if len(record.BinaryFields) != 1 {
			return fmt.Errorf("record %d: %d binary fields, expected 1", i, len(record.BinaryFields))
		}
		if err := sameBody(record.BinaryFields[0], want.Bytes); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

func sameBody(got product.Binary, want []byte) error {
	if got.Pointer != harfile.BodyPointer || got.State != "retained" ||
		got.Bytes == nil || got.SHA256 == nil || got.ContentBase64 == nil {
		return fmt.Errorf("binary field %q is %s", got.Pointer, got.State)
	}
	if *got.Bytes != int64(len(want)) || *got.SHA256 != captures.Digest(want) {
		return errors.New("size or digest of the body is not that of the decoded bytes")
	}
	if *got.ContentBase64 != base64.StdEncoding.EncodeToString(want) {
		return errors.New("content_base64 is not the body")
	}
	return nil
}

// noCredentials looks at what is reported for the four headers and the cookies,
// by its own idea of where they stand.
func noCredentials(e *product.Evidence) error {
	for i, record := range e.Result.Records {
		entry, err := value(record.Reported)
		if err != nil {
			return err
		}
		hidden := redacted(record.Redactions)
		for _, side := range []string{"request", "response"} {
			for _, list := range []string{"headers", "cookies"} {
				items, _ := harfile.At(entry, side, list).([]any)
				for n, item := range items {
					name, _ := harfile.At(item, "name").(string)
					if list == "headers" && !isCredentialHeader(name) {
						continue
					}
					pointer := fmt.Sprintf("/%s/%s/%d/value", side, list, n)
					if harfile.At(item, "value") != nil || hidden[pointer] != credential {
						return fmt.Errorf("record %d: a credential is reported at %s", i, pointer)
					}
				}
			}
		}
	}
	return nil
}

func isCredentialHeader(name string) bool {
	for _, h := range credentialHeaders {
		// Equal length keeps letters outside ASCII from folding into ASCII ones.
		if n := strings.Trim(name, " \t"); len(n) == len(h) && strings.EqualFold(n, h) {
			return true
		}
	}
	return false
}

func redacted(list []product.Redaction) map[string]string {
	out := make(map[string]string, len(list))
	for _, r := range list {
		out[r.Pointer] = r.Reason
	}
	return out
}

// sameValues holds every reported value against the recorded one: nothing may
// differ but what a redaction names, and numbers that a double cannot hold.
func sameValues(e *product.Evidence, r *harfile.File) error {
	c := e.Result.Container
	if err := sameReported(r.Container, c.Reported, c.Redactions); err != nil {
		return fmt.Errorf("container: %w", err)
	}
	for i, record := range e.Result.Records {
		if err := sameReported(r.Entries[i], record.Reported, record.Redactions); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

func sameReported(want harfile.Part, reported []byte, redactions []product.Redaction) error {
	got, err := value(reported)
	if err != nil {
		return err
	}
	hidden := redacted(redactions)
	return harfile.Same(want.Value, got, func(pointer string, reported any) bool {
		if _, ok := hidden[pointer]; ok {
			return true
		}
		lexeme, isNumber := want.Numbers[pointer]
		return isNumber && reported == nil && !fitsDouble(lexeme)
	})
}

// fitsDouble says whether a number surely survives as a double: an integer
// below 2^53, or at most 15 significant digits. Such a number may not be hidden;
// whether one in between had to be is for the product's own tests to say.
func fitsDouble(lexeme string) bool {
	if n, err := strconv.ParseInt(lexeme, 10, 64); err == nil {
		return n > -1<<53 && n < 1<<53
	}
	digits := 0
	for _, c := range strings.TrimLeft(lexeme, "-0.") {
		if c == 'e' || c == 'E' {
			break
		}
		if c != '.' {
			digits++
		}
	}
	f, err := strconv.ParseFloat(lexeme, 64)
	return err == nil && f != 0 && digits <= 15
}

func value(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, errors.New("a reported value is not JSON")
	}
	return v, nil
}
