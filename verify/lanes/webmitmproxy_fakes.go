package lanes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/product"
)

// misbehaviour lists the programs that fake.py can be, and the failure that each
// has to become.
var misbehaviour = []struct{ name, code, word string }{
	{"version-12.2.2", "capability_unavailable", "12.2.2"},
	{"memory", "resource_constraint", ""},
	{"reply-too-large", "unreadable_output", ""},
	{"defect", "execution_failure", ""},
	{"loud", "unreadable_output", "diagnostics"},
	{"leaves-a-child", "", ""},
	{"status-3", "execution_failure", ""},
	{"killed", "execution_failure", "SIGKILL"},
	{"no-reply", "unreadable_output", ""},
	{"garbage", "unreadable_output", ""},
	{"another-program", "unreadable_output", ""},
	{"sleeps", "provider_timeout", ""},
}

// unusable are paths at which there is no mitmdump to run.
var unusable = []struct{ name, path string }{
	{"not set", ""},
	{"relative", "mitmdump"},
	{"a missing file", "/opt/tool/bin/mitmdump-absent"},
	{"a file that is not executable", containers.Work + "/traffic.py"},
	{"a folder", "/opt/tool/bin"},
}

// leftovers lists what a run must not leave: processes that are not the
// container's own, and files in the temporary folder but mitmdump's of traffic.py.
const leftovers = `import os, pathlib
for p in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        words = (p / "cmdline").read_bytes().split(b"\0")
    except OSError:
        continue
    if any(w.startswith((b"` + containers.Work + `/rea", b"` + containers.Work + `/fakes/")) or w.endswith(b"/fake.py") for w in words):
        print("process", p.name)
for name in os.listdir("/tmp"):
    if name != "mitmproxy":
        print("file", name)`

// checkMisbehaviour runs the product with programs that are not the mitmdump that
// it wants.
func checkMisbehaviour(ctx context.Context, b *bench.Bench, room *flowRoom, c *canary) error {
	for _, u := range unusable {
		b.Check("a mitmdump that is "+u.name+" is refused", func() error {
			out, err := room.inspect(ctx, u.path, "out/flows.mitm", "upstream", "--json")
			if err != nil {
				return err
			}
			return misbehaved(out, "capability_unavailable", "")
		})
	}
	b.Check("without a command, auto is the embedded reader", func() error {
		out, err := room.inspect(ctx, "", "out/flows.mitm", "auto", "--json")
		if err != nil {
			return err
		}
		return readBy(out, "rea-tnetstring")
	})
	b.Check("with a command, auto is mitmproxy's reader", func() error {
		out, err := room.inspect(ctx, mitmdump, "out/flows.mitm", "auto", "--json")
		if err != nil {
			return err
		}
		return readBy(out, "mitmproxy-native-tnetstring")
	})
	b.Check("with a command that fails, auto fails, too", func() error {
		out, err := room.inspect(ctx, containers.Work+"/fakes/status-3", "out/flows.mitm", "auto", "--json")
		if err != nil {
			return err
		}
		return misbehaved(out, "execution_failure", "")
	})
	for _, m := range misbehaviour {
		b.Check("a mitmdump that is "+m.name, func() error {
			out, err := room.inspect(ctx, containers.Work+"/fakes/"+m.name, "out/flows.mitm", "upstream", "--json")
			if err != nil {
				return err
			}
			left, err := room.Exec(ctx, "python", "-c", leftovers)
			if err == nil && len(left.Stdout) > 0 {
				err = fmt.Errorf("it leaves something behind: %s", strings.ReplaceAll(strings.TrimSpace(string(left.Stdout)), "\n", ", "))
			}
			return errors.Join(misbehaved(out, m.code, m.word), err, c.absent(out))
		})
	}
	return nil
}

func readBy(out product.Output, id string) error {
	e, err := out.Evidence()
	if err != nil {
		return explain(err, out)
	}
	if e.Provider.ID != id {
		return fmt.Errorf("read by %q", e.Provider.ID)
	}
	return nil
}

// misbehaved wants the failure of that code, which says the word; no code means
// success.
func misbehaved(out product.Output, code, word string) error {
	if code == "" {
		_, err := out.Evidence()
		return explain(err, out)
	}
	f, err := out.Failure()
	if err != nil {
		return err
	}
	if f.Code != code {
		return fmt.Errorf("code %s, expected %s", f.Code, code)
	}
	if code == "capability_unavailable" && !strings.Contains(string(out.Stdout), "12.2.3") {
		return errors.New("the version that is required is not named")
	}
	if !strings.Contains(f.Message, word) {
		return fmt.Errorf("the message does not say %q", word)
	}
	if strings.Contains(string(out.Stdout), "Canary") {
		return errors.New("the failure holds what the program said")
	}
	return nil
}
