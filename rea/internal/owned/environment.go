package owned

import (
	"crypto/rand"
	"fmt"
)

// tokenName is the environment variable by which the processes of one run can
// be recognised, also after they left their group.
const tokenName = "REA_PROCESS_RUN_ID"

// inherited are the caller's variables that a child may see. Nothing else
// reaches it: not GOGC, GOMEMLIMIT or GOTRACEBACK, which would move its bounds,
// and none of the secrets that environments tend to hold.
var inherited = []string{"PATH", "LANG", "TZ", "SystemRoot"}

// environment is a child's whole environment. The token comes first.
func environment(dir, runID string, lookup func(string) (string, bool)) []string {
	env := []string{tokenName + "=" + runID, "HOME=" + dir, "TMPDIR=" + dir}
	for _, name := range inherited {
		if value, ok := lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// newRunID names one run by a random UUID (RFC 9562 section 5.4).
func newRunID() string {
	var u [16]byte
	rand.Read(u[:]) // never fails
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("rea-web-capture-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
