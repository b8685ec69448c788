package evidence

import "rea.example/rea/internal/tree"

// Operation names, as they stand in Evidence and failures.
const InspectCapture = "inspect_web_network_capture"

// Identity names a decoder; it is also the Evidence's provider.
type Identity struct{ ID, Name, Version string }

// Location is where a record stands in its capture.
type Location struct {
	Kind          string       // one of the kinds below
	Pointer       tree.Pointer // of AtPointer
	Offset, Bytes int64        // of AtRange; Bytes is at least 1
	Members       []string     // of AtMembers, in the archive's order
}

// Location kinds.
const (
	AtPointer = "json-pointer"
	AtRange   = "byte-range"
	AtMembers = "archive-members"
	// AtUnknown: the place is hidden, because it holds a declared value.
	AtUnknown = "unknown"
)

// Reason says why something was left out.
type Reason string

const (
	TransportCredential Reason = "transport-credential"
	ExplicitSensitive   Reason = "explicit-sensitive-value"
)

// Deviation is one rule of the capture's schema that a value does not keep,
// reported under conformance "report".
type Deviation struct {
	Pointer       tree.Pointer
	Keyword       string
	SchemaPointer string // "" where the rule isn't the schema's
	Expected      any    // JSON value: what the rule asks for
}

// Artifact is the capture file as it was read.
type Artifact struct {
	Path   string // "" where the path is hidden
	SHA256 string // "" where the digest is hidden
	Bytes  int64
}
