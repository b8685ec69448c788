package failure

// Code says what went wrong, in the words of the public contract.
type Code string

// Category groups codes by whose move is next.
type Category string

const (
	InvalidRequest        Code = "invalid_request"
	AccessDenied          Code = "access_denied"
	ArtifactChanged       Code = "artifact_changed"
	UnreadableOutput      Code = "unreadable_output"
	CapabilityUnavailable Code = "capability_unavailable"
	UnsupportedTarget     Code = "unsupported_target"
	ProviderTimeout       Code = "provider_timeout"
	ResourceConstraint    Code = "resource_constraint"
	Cancelled             Code = "cancelled"
	CleanupIncomplete     Code = "cleanup_incomplete"
	EvidenceIntegrity     Code = "evidence_integrity_mismatch"
	ExecutionFailure      Code = "execution_failure"
)

// Row is what the contract says of one code.
type Row struct {
	Code      Code
	Category  Category
	Retryable bool
	// Exit is the status with which the command line ends.
	Exit int
	// Meaning is the sentence that help prints.
	Meaning string
}

// Table lists every code this program can answer with. Help prints it, and
// nothing else decides a category, retryability or exit status.
var Table = []Row{
	{InvalidRequest, "invalid_input", true, 1, "an argument or the capture itself is not what it must be"},
	{AccessDenied, "unavailable", false, 1, "the system refused to read the capture"},
	{ArtifactChanged, "integrity_mismatch", true, 1, "the capture changed while it was being read"},
	{CapabilityUnavailable, "unsupported_provider", false, 1, "the capture's profile, or a needed ability of this host, is not there"},
	{UnsupportedTarget, "unsupported_target", false, 1, "this Evidence has no such view"},
	{ResourceConstraint, "resource_constraint", false, 1, "a memory or size bound was reached"},
	{ProviderTimeout, "timeout", true, 1, "the decoder did not finish in time"},
	{Cancelled, "cancelled", true, 1, "the caller cancelled"},
	{UnreadableOutput, "execution_failure", false, 1, "the decoder's reply or diagnostics were over a limit or not readable"},
	{ExecutionFailure, "execution_failure", false, 1, "reading or decoding ended unexpectedly"},
	{CleanupIncomplete, "execution_failure", false, 1, "a private file or process could not be confirmed gone"},
	{EvidenceIntegrity, "integrity_mismatch", false, 1, "Evidence is not what its identifier names"},
}

func row(c Code) Row {
	for _, r := range Table {
		if r.Code == c {
			return r
		}
	}
	panic("failure: code without a row: " + string(c))
}
