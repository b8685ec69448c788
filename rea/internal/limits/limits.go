package limits

import "time"

const (
	// CaptureBytes is the largest capture that is read. Enforced by source,
	// before and while copying.
	CaptureBytes = 32 << 20

	// ExpandedBytes is what the members of an archive that are read may expand
	// to, all together. Enforced by format/saz, while inflating.
	ExpandedBytes = 32 << 20

	// ReplyBytes is the largest decoder reply. Enforced by the writer in the
	// decoder child and again by the reader in the parent.
	ReplyBytes = 96 << 20

	// DiagnosticBytes is what the collector keeps of a child's standard output
	// and standard error together. Enforced by owned, while reading.
	DiagnosticBytes = 1 << 20

	// Deadline is the wall-clock time of one owned command. Enforced by owned.
	Deadline = 30 * time.Second

	// CaptureDepth is the deepest level at which a value of a capture may
	// stand, the document being level 0. Enforced by strictjson.
	CaptureDepth = 64

	// ArgumentDepth is CaptureDepth for arguments, and for replies, which
	// wrap a capture's records in levels of their own. Enforced by strictjson.
	ArgumentDepth = 80

	// EvidenceDepth is the same for Evidence that is handed in again, and for
	// the arguments around it: each nested element of XML metadata, of which a
	// capture may have CaptureDepth, takes two levels of JSON.
	EvidenceDepth = 144

	// ArgumentBytes is the largest argument document. Enforced by app.
	ArgumentBytes = 16 << 20

	// ArgumentIssues is how many mistakes of one argument document are listed.
	// Enforced by app.
	ArgumentIssues = 32

	// InlineFile and InlineMessage are the largest Evidence that a call can
	// carry inside its arguments: from a file, and in a message to the server.
	// Enforced by app.
	InlineFile    = 160 << 20
	InlineMessage = 64 << 20

	// EvidenceValues is how many values the tree of Evidence that is handed in may
	// have, in one record or around the records. Digits alone would make fifty
	// times as many of a message. Enforced by evidence.
	EvidenceValues = 16 << 20

	// StoreBytes is how many canonical bytes of Evidence a server retains.
	// Enforced by store.
	StoreBytes = 512 << 20

	// SurfaceBytes is the representation budget of an API surface. Enforced by
	// view/apisurface.
	SurfaceBytes = 96 << 20

	// SchemaIssues is how many failing (pointer, keyword) pairs a strict
	// schema failure lists; the total always stands beside them.
	SchemaIssues = 32

	// Deviations is how many deviations a record, and the container, lists
	// under conformance "report"; the total always stands beside them.
	Deviations = 64

	// SafeInteger is the largest integer that survives a double, and so the
	// largest that a reported JSON number may hold (ECMA-262
	// Number.MAX_SAFE_INTEGER).
	SafeInteger = 1<<53 - 1
)

// The decoder child's memory (docs/adr/0003): a soft limit at 7/8 of
// DecoderMemory, a guard at DecoderMemory, and a hard address-space ceiling of
// DecoderCeiling above the size at which the child starts.
const (
	DecoderMemory = 192 << 20
	// DecoderCeiling is the budget, the mapped snapshot, one heap arena and slack.
	DecoderCeiling = DecoderMemory + CaptureBytes + 64<<20 + 16<<20
	// DecoderStack bounds one goroutine's stack: runaway recursion ends as an
	// execution failure long before it would look like memory exhaustion.
	DecoderStack = 64 << 20
	// GuardPeriod is how often the guard compares.
	GuardPeriod = 2 * time.Millisecond
	// GuardExit is the exit status by which the guard ends the child.
	GuardExit = 86
)

// The bounds of a foreign reader, set before it starts. Enforced by owned.
const (
	ForeignMemory = 768 << 20 // of address space
	ForeignCPU    = 30 * time.Second
	// Its output is bounded by ReplyBytes, and its time by Deadline.
)
