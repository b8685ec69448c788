package product

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-json"

	"rea.example/verify/surrogate"
)

// Evidence is the part of an Evidence document that lanes compare.
type Evidence struct {
	ID         string         `json:"evidence_id"`
	Operation  string         `json:"operation"`
	Provider   Decoder        `json:"provider"`
	Parameters map[string]any `json:"parameters"`
	Result     Capture        `json:"normalized_result"`
}

// Capture is a decoded capture file.
type Capture struct {
	Artifact struct {
		Path   string  `json:"path"`
		SHA256 *string `json:"sha256"`
		Bytes  int64   `json:"bytes"`
	} `json:"artifact"`
	Format       string    `json:"format"`
	Decoder      Decoder   `json:"decoder"`
	Container    Container `json:"container"`
	TotalRecords int       `json:"total_records"`
	Records      []Record  `json:"records"`
	Limitations  []string  `json:"limitations"`
	Qlog         *Facts    `json:"qlog"` // exactly of that format
}

// Facts are what follows from a qlog trace. Quantities of QUIC are decimal text.
type Facts struct {
	Profile   string `json:"profile"`
	Scope     string `json:"scope"`
	BodyBytes string `json:"body_bytes"`
	Clock     struct {
		Unit  string `json:"unit"`
		Epoch string `json:"epoch"`
		Basis string `json:"basis"`
	} `json:"clock"`
	Traces []struct {
		Index             int      `json:"trace_index"`
		Events            int      `json:"events"`
		Streams           []Stream `json:"streams"`
		LossDeclarations  []Loss   `json:"loss_declarations"`
		IncompleteRecords []int    `json:"incomplete_records"`
	} `json:"traces"`
}

// Stream is one direction of a stream.
type Stream struct {
	ID            string         `json:"stream_id"`
	Direction     string         `json:"direction"`
	UniqueBytes   string         `json:"unique_bytes"`
	FrameSum      string         `json:"frame_length_sum"`
	RepeatedBytes string         `json:"repeated_bytes"`
	Contributions []Contribution `json:"contributions"`
	Ranges        []Range        `json:"ranges"`
	FinalSizes    []FinalSize    `json:"final_sizes"`
}

// Contribution is one frame of a stream.
type Contribution struct {
	Ordinal    int    `json:"ordinal"`
	FrameIndex int    `json:"frame_index"`
	Offset     string `json:"offset"`
	Length     string `json:"length"`
	Fin        *bool  `json:"fin"`
}

// Range is a half-open run of bytes.
type Range struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// FinalSize is where frames with FIN say that a stream ends.
type FinalSize struct {
	Size     string `json:"size"`
	Ordinals []int  `json:"ordinals"`
}

// Loss is a declaration that a packet was lost.
type Loss struct {
	Ordinal      int     `json:"ordinal"`
	PacketNumber *string `json:"packet_number"`
	PacketType   *string `json:"packet_type"`
}

// Decoder says who read the capture.
type Decoder struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Container is the document around the records.
type Container struct {
	Reported        json.RawMessage `json:"reported"`
	NumericLiterals []Literal       `json:"numeric_literals"`
	Redactions      []Redaction     `json:"redactions"`
	RecordsPointer  *string         `json:"records_pointer"`
	Deviations      []Deviation     `json:"deviations"`
	DeviationTotal  int             `json:"deviation_total"`
}

// Record is one record of the capture.
type Record struct {
	Ordinal  int `json:"ordinal"`
	Location struct {
		Kind    string   `json:"kind"`
		Pointer string   `json:"pointer"` // of json-pointer
		Offset  int64    `json:"offset"`  // of byte-range
		Bytes   int64    `json:"bytes"`
		Members []string `json:"members"` // of archive-members
	} `json:"location"`
	Reported        json.RawMessage `json:"reported"`
	BinaryFields    []Binary        `json:"binary_fields"`
	NumericLiterals []Literal       `json:"numeric_literals"`
	Redactions      []Redaction     `json:"redactions"`
	Limitations     []string        `json:"limitations"`
	Deviations      []Deviation     `json:"deviations"`
	DeviationTotal  int             `json:"deviation_total"`
}

// Binary is a body whose bytes the capture establishes.
type Binary struct {
	Pointer        string  `json:"pointer"`
	Representation string  `json:"representation"`
	State          string  `json:"state"`
	ContentBase64  *string `json:"content_base64"`
	Bytes          *int64  `json:"bytes"`
	SHA256         *string `json:"sha256"`
}

// Literal is a number as the source spells it.
type Literal struct {
	Pointer string `json:"pointer"`
	Literal string `json:"literal"`
}

// Redaction is one exclusion.
type Redaction struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"`
}

// Deviation is one difference from the format's rules.
type Deviation struct {
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
}

// Failure is the error document.
type Failure struct {
	Code        string `json:"code"`
	Category    string `json:"category"`
	Message     string `json:"message"`
	Retryable   bool   `json:"retryable"`
	Remediation struct {
		Action string `json:"action"`
	} `json:"remediation"`
	Details struct {
		Issues []struct {
			Path   []any  `json:"path"`
			Reason string `json:"reason"`
		} `json:"issues"`
		SchemaErrors     []Deviation `json:"schema_errors"`
		SchemaErrorTotal int         `json:"schema_error_total"`
		Reason           string      `json:"reason"`
		Pointer          string      `json:"pointer"`
	} `json:"details"`
}

// Pointer is where in the capture the first issue stands. It is false when the
// failure is not about a place in the capture.
func (f *Failure) Pointer() (string, bool) {
	if len(f.Details.Issues) == 0 {
		return "", false
	}
	path := f.Details.Issues[0].Path
	if len(path) != 2 || path[0] != "capture_path" {
		return "", false
	}
	pointer, ok := path[1].(string)
	return pointer, ok
}

// Evidence reads the document of a success.
func (o Output) Evidence() (*Evidence, error) {
	e := new(Evidence)
	if err := o.read(0, e); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(e.ID, "ev_") {
		return nil, errors.New("product: a success without evidence_id")
	}
	return e, nil
}

// Failure reads the document of a failure.
func (o Output) Failure() (*Failure, error) {
	f := new(Failure)
	if err := o.read(1, f); err != nil {
		return nil, err
	}
	if f.Code == "" || f.Category == "" || f.Message == "" || f.Remediation.Action == "" {
		return nil, errors.New("product: a failure without code, category, message or remediation")
	}
	return f, nil
}

func (o Output) read(exit int, into any) error {
	if o.Exit != exit {
		return fmt.Errorf("product: exit status %d, expected %d", o.Exit, exit)
	}
	// The fast reader below forgives what follows a document; this one does not.
	if !stdjson.Valid(o.Stdout) {
		return errors.New("product: standard output is not one JSON document")
	}
	if err := json.Unmarshal(surrogate.Keep(o.Stdout), into); err != nil {
		return fmt.Errorf("product: %w", err)
	}
	return nil
}
