package speed

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// host is what the figures were taken on.
func host() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := modelName(string(info)); name != "" {
			model = name
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", model, runtime.NumCPU(), runtime.GOOS)
}

// modelName is the processor's name in the text of /proc/cpuinfo.
func modelName(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// loadAverage is how many others wanted to run in the last minute: a figure
// taken on a busy machine says so. It is empty where the system does not tell.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	one, _, _ := strings.Cut(string(data), " ")
	return one
}
