package speed

import (
	"strings"
	"testing"
	"time"
)

func TestTableIsMarkdownThatLinesUp(t *testing.T) {
	got := table([]row{
		{job: "much", peer: "they", ours: figures{wall: 250 * time.Millisecond, cpu: 300 * time.Millisecond, all: 60 << 20, child: 40 << 20},
			theirs: figures{wall: 2 * time.Second, cpu: 1900 * time.Millisecond, all: 1 << 30}, goal: "10×", floor: 5 * time.Millisecond},
		{job: "little", ours: figures{wall: 700 * time.Microsecond}},
	})
	want := `
| job    | compared with |     rea |   peer | ratio | goal |  floor | rea CPU | peer CPU | rea MiB | child MiB | peer MiB |
| ------ | ------------- | ------: | -----: | ----: | ---: | -----: | ------: | -------: | ------: | --------: | -------: |
| much   | they          |  250 ms | 2.00 s |   8.0 |  10× | 5.0 ms |  300 ms |   1.90 s |      60 |        40 |     1024 |
| little | -             | 0.70 ms |      - |     - |    - |      - |       - |        - |       - |         - |        - |
`
	if got != want[1:] {
		t.Errorf("the table is\n%s", got)
	}
}

func TestDurationsAreSpelt(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "-", -1: "?", 1500 * time.Nanosecond: "0.00 ms", 999 * time.Microsecond: "1.00 ms", 1234 * time.Microsecond: "1.2 ms",
		99_900 * time.Microsecond: "99.9 ms", 431_200 * time.Microsecond: "431 ms", 4_614 * time.Millisecond: "4.61 s",
	} {
		if got := spell(d); got != want {
			t.Errorf("%d ns are %q, expected %q", d, got, want)
		}
	}
}

func TestMedianIsAMeasuredValue(t *testing.T) {
	of := func(walls ...time.Duration) (s []sample) {
		for _, w := range walls {
			s = append(s, sample{wall: w})
		}
		return s
	}
	for _, c := range []struct {
		samples []sample
		want    time.Duration
	}{{of(5), 5}, {of(9, 1, 4), 4}, {of(8, 2, 6, 4), 4}} {
		if got := median(c.samples, wall); got != c.want {
			t.Errorf("median of %v is %d", c.samples, got)
		}
	}
	if medians(nil) != (figures{}) {
		t.Error("nothing has a median")
	}
}

func TestPartsAreChosenByName(t *testing.T) {
	if all, err := choose(nil); err != nil || len(all) != len(parts) {
		t.Errorf("%d parts, %v", len(all), err)
	}
	two, err := choose([]string{"views", "har"})
	if err != nil || len(two) != 2 || two[0].name != "views" || two[1].name != "har" {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := choose([]string{"har", ""}); err == nil {
		t.Error("a part without a name is chosen")
	}
}

func TestModelNameIsTheProcessors(t *testing.T) {
	if got := modelName("processor\t: 0\nmodel\t\t: 1\nmodel name\t: Some CPU: 3 GHz\n\nmodel name\t: other\n"); got != "Some CPU: 3 GHz" {
		t.Errorf("%q", got)
	}
	if got := modelName("CPU implementer : 0x41\n"); got != "" {
		t.Errorf("%q", got)
	}
}

func TestBenchmarkTimesAreReadFromWhatGoPrints(t *testing.T) {
	out := strings.Join([]string{"goos: linux", "BenchmarkRead-2   \t       3\t  50000000 ns/op\t 671.09 MB/s\t   69136 B/op\t      17 allocs/op",
		"BenchmarkRead-2 3 40000000.5 ns/op", "BenchmarkRead-2", "PASS", "ok  \tx\t1s"}, "\n")
	got := benchmarkTimes([]byte(out))
	if len(got) != 2 || got[0].wall != 50*time.Millisecond || got[1].wall != 40*time.Millisecond {
		t.Errorf("%v", got)
	}
}

func TestShebangNamesThePythonOfAScript(t *testing.T) {
	for script, want := range map[string]string{"#!/opt/tool/bin/python3\nimport x\n": "/opt/tool/bin/python3", "#! /usr/bin/python3 \n": "/usr/bin/python3"} {
		if got, ok := shebang([]byte(script)); !ok || got != want {
			t.Errorf("%q: %q", script, got)
		}
	}
	for _, script := range []string{"", "\x7fELF", "import x\n", "#!python3\n"} {
		if got, ok := shebang([]byte(script)); ok {
			t.Errorf("%q: %q", script, got)
		}
	}
}
