package owned

import (
	"io/fs"
	"os"
	"testing"
)

func TestCountKills(t *testing.T) {
	files := map[string]string{
		"/sys/fs/cgroup/user/memory.events":             "low 0\nhigh 3\nmax 5\noom 2\noom_kill 2\noom_group_kill 9\n",
		"/sys/fs/cgroup/memory.events":                  "oom_kill 40\n",
		"/sys/fs/cgroup/memory/box/memory.oom_control":  "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n",
		"/sys/fs/cgroup/memory/memory.oom_control":      "oom_kill 11\n",
		"/sys/fs/cgroup/memory/deaf/memory.oom_control": "",
	}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for groups, want := range map[string]int64{
		"0::/user\n":                          2,
		"0::/\n":                              40,
		"0::/of/the/host\n":                   40,
		"9:memory:/box\n8:cpu,cpuacct:/box\n": 7,
		"4:hugetlb,memory:/\n0::/user\n":      13,
		"9:memory:/deaf\n":                    0,
		"1:name=systemd:/user\n":              0,
		"nonsense\n":                          0,
		"":                                    0,
	} {
		if got := countKills(groups, read); got != want {
			t.Errorf("%q counts %d kills, want %d", groups, got, want)
		}
	}
}

func TestMembership(t *testing.T) {
	self := &group{pid: os.Getpid() + 1<<22, token: []byte("REA_PROCESS_RUN_ID=nobody")}
	if self.isMember(os.Getpid()) || self.hasToken(os.Getpid()) || !self.empty() {
		t.Error("a stranger is a member")
	}
	if alive, known := self.members(); len(alive) != 0 || !known {
		t.Errorf("an empty group has members %v (%v)", alive, known)
	}
}
