package containers

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"rea.example/containers/supply"
)

// TestImagesAreWholeAndPinned reads what is committed for each image.
func TestImagesAreWholeAndPinned(t *testing.T) {
	refs := map[string]bool{}
	for _, i := range All {
		if refs[i.Ref()] {
			t.Errorf("two images are called %s", i.Ref())
		}
		refs[i.Ref()] = true
		if i.Base() == "" || strings.Contains(i.Base(), "@") || strings.Contains(i.Base(), "/") {
			t.Errorf("%s stands on %q, not on a public tag", i.Name, i.Base())
		}
		if len(i.Probe) == 0 || len(i.Pins) == 0 {
			t.Errorf("%s can't be checked", i.Name)
		}
		for _, p := range i.Pins {
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(p.Version) {
				t.Errorf("%s pins %s to %q, not to one version", i.Name, p.Name, p.Version)
			}
		}
		dockerfile, err := i.File("Dockerfile")
		if err != nil {
			t.Fatal(err)
		}
		// What the classic builder lacks, what would need the network, and who runs.
		for _, no := range []string{"--mount", "--link", "<<", "apt", "http:", "https:", "curl", "ADD "} {
			if strings.Contains(string(dockerfile), no) {
				t.Errorf("%s: its Dockerfile has %q", i.Name, no)
			}
		}
		if !strings.Contains(string(dockerfile), "\nUSER 65534:65534\n") {
			t.Errorf("%s runs as root", i.Name)
		}
	}
}

// TestLocksNameEveryPin reads each lock as pip and npm do: with a digest for
// every package, and no address.
func TestLocksNameEveryPin(t *testing.T) {
	for _, i := range All {
		if i.kind == wheels {
			text, err := i.File("requirements.lock")
			if err != nil {
				t.Fatal(err)
			}
			list, err := supply.ParseLock(text)
			if err != nil {
				t.Fatalf("%s: %v", i.Name, err)
			}
			at := slices.IndexFunc(list, func(r supply.Requirement) bool {
				return r.Name == i.Pins[0].Name && r.Version == i.Pins[0].Version
			})
			if at < 0 {
				t.Errorf("%s: the lock does not have %v", i.Name, i.Pins[0])
			}
			continue
		}
		for _, folder := range []string{"", "mcp/"} {
			text, err := i.File(folder + "package-lock.json")
			if err != nil {
				t.Fatal(err)
			}
			packages := strings.Count(string(text), `"node_modules/`)
			if digests := strings.Count(string(text), `"integrity": "sha512-`); digests != packages || packages == 0 {
				t.Errorf("%s: %d packages, %d digests", folder, packages, digests)
			}
			if strings.Contains(string(text), `"resolved"`) {
				t.Errorf("%s: the lock names addresses", folder)
			}
		}
	}
}

func TestPinsAreThoseOfTheFiles(t *testing.T) {
	if got := MITMDump.Ref(); got != "rea-mitmdump:12.2.3" {
		t.Error(got)
	}
	if got := AIOQuic.Ref(); got != "rea-aioquic:1.5.0" {
		t.Error(got)
	}
	names := map[string]bool{}
	for _, p := range NPMHar.Pins {
		names[p.Name] = true
	}
	if len(names) != 6 || !names["@modelcontextprotocol/sdk"] || !names["ajv"] {
		t.Errorf("%v", NPMHar.Pins)
	}
}

func TestNamed(t *testing.T) {
	if list, err := Named("aioquic"); err != nil || len(list) != 1 || list[0].Name != "aioquic" {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := Named(); err != nil || len(list) != len(All) {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := Named("aioquick"); err == nil {
		t.Error("an unknown image has been found")
	}
}

func TestInputsDifferBetweenImages(t *testing.T) {
	if len(MITMDump.Inputs()) != 64 || MITMDump.Inputs() == AIOQuic.Inputs() {
		t.Error("inputs are no digest of an image's files")
	}
}
