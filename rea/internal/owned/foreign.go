package owned

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"rea.example/rea/internal/limits"
)

// Foreign is a program that is not this one, run under the bounds of
// limits.ForeignMemory, limits.ForeignCPU and limits.ReplyBytes for any file it
// writes. It finds its reply at descriptor 4 and the capture at 5.
type Foreign struct {
	Path        string // absolute
	Args        []string
	Environment []string // besides what every child sees
}

// Exit statuses by which a foreign program says how it failed.
const (
	foreignMemory = 70 // there was no more memory
	foreignReply  = 71 // the reply grew over its limit
)

// Runnable says why the program at path can't be run, in words that follow its
// name, or nothing.
func Runnable(path string) string {
	if !filepath.IsAbs(path) {
		return "is not an absolute path"
	}
	if _, err := exec.LookPath(path); err != nil {
		return "names no file that can be executed (" + systemCode(err) + ")"
	}
	return ""
}

// limitedArgument makes a process of this program bound itself and become
// another one. No system lets a parent set these bounds for its child alone.
const limitedArgument = "__limited"

// IsLimited says whether a command line is that of a process that is to become a
// foreign program.
func IsLimited(args []string) bool { return len(args) > 2 && args[1] == limitedArgument }

// Limit bounds this process and becomes the program that args name. It returns,
// with an exit status, only where that fails.
func Limit(args []string) int {
	fmt.Fprintln(os.Stderr, "rea: the program can't be started:", systemCode(become(args[2:])))
	return 127
}

// command is how the launcher of a foreign program is called.
func (f *Foreign) command() []string { return append([]string{limitedArgument, f.Path}, f.Args...) }

// foreign classifies the death of a program that says more than this one's
// runtime would, but whose words can't be relied on.
func (d death) foreign() Ending {
	exited := func(status int) bool { return d.code != nil && *d.code == status }
	switch {
	case exited(foreignMemory):
		return MemoryExhausted
	case exited(foreignReply):
		return ReplyExhausted
	case d.signal == "SIGXCPU":
		return ProcessorExhausted
	case d.signal == "SIGKILL" && !d.killed && d.oomKill:
		return MemoryExhausted
	case d.signal != "", d.killed:
		return Crashed
	}
	return Finished
}

// reportForeign replaces, among reported limits, those of this program's own
// child.
func reportForeign(reported map[string]any) {
	delete(reported, "decoder_memory_mib")
	delete(reported, "decoder_ceiling_mib")
	delete(reported, "process_memory_limit_bytes")
	reported["address_space_mib"] = int64(limits.ForeignMemory >> 20)
	reported["processor_seconds"] = int64(limits.ForeignCPU.Seconds())
}
