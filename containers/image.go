package containers

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-json"
)

//go:embed base/packages.txt
//go:embed mitmdump/Dockerfile mitmdump/requirements.*
//go:embed aioquic/Dockerfile aioquic/requirements.* aioquic/*.py
//go:embed npm-har/Dockerfile npm-har/*.json npm-har/*.mjs npm-har/mcp/*.json npm-har/mcp/*.mjs
var files embed.FS

// Pin is a tool and the version that it must report of itself.
type Pin struct{ Name, Version string }

// Image is one image of this repository.
type Image struct {
	Name  string // also the folder of its files
	Pins  []Pin  // what Probe must print
	Probe []string
	kind  kind
}

// kind is where the packages of an image come from.
type kind int

const (
	wheels kind = iota
	npm
)

// The images. A lane names those it needs.
var (
	MITMDump = Image{
		Name: "mitmdump", kind: wheels, Pins: requirement("mitmdump"),
		Probe: []string{"mitmdump", "--version"},
	}
	// AIOQuic stands alone: mitmproxy pins an older aioquic.
	AIOQuic = Image{
		Name: "aioquic", kind: wheels, Pins: requirement("aioquic"),
		Probe: []string{"python", "-c", "import aioquic, platform; print('aioquic', aioquic.__version__); print('Python', platform.python_version())"},
	}
	NPMHar = Image{
		Name: "npm-har", kind: npm, Pins: append(dependencies("npm-har"), dependencies("npm-har/mcp")...),
		Probe: []string{"node", "/opt/mcp/versions.mjs"},
	}
)

// All lists the images in the order in which they are built.
var All = []Image{MITMDump, AIOQuic, NPMHar}

// Named gives the images of the given names, or all for none.
func Named(names ...string) ([]Image, error) {
	if len(names) == 0 {
		return All, nil
	}
	var list []Image
	for _, name := range names {
		at := slices.IndexFunc(All, func(i Image) bool { return i.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("containers: there is no image %q", name)
		}
		list = append(list, All[at])
	}
	return list, nil
}

// Ref is the name under which an engine holds the image: tagged with the tool's
// version where there is one tool.
func (i Image) Ref() string {
	if len(i.Pins) == 1 {
		return "rea-" + i.Name + ":" + i.Pins[0].Version
	}
	return "rea-" + i.Name + ":pinned"
}

// File is one of the files that the image is made of, such as a script.
func (i Image) File(name string) ([]byte, error) { return files.ReadFile(i.Name + "/" + name) }

// names lists the image's files in order.
func (i Image) names() []string {
	var list []string
	// The tree is compiled in: reading it can't fail.
	_ = fs.WalkDir(files, i.Name, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, strings.TrimPrefix(path, i.Name+"/"))
		}
		return err
	})
	return list
}

// Inputs is a digest of all that is committed for the image. An image built from
// other inputs is stale.
func (i Image) Inputs() string {
	sum := sha256.New()
	for _, name := range i.names() {
		data, _ := i.File(name)
		fmt.Fprintf(sum, "%d %s %d ", len(name), name, len(data))
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Base is the public image that the Dockerfile stands on unless another is given.
func (i Image) Base() string {
	data, _ := i.File("Dockerfile")
	if m := baseArg.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return ""
}

var baseArg = regexp.MustCompile(`(?m)^ARG BASE_IMAGE=(\S+)$`)

// requirement reads the one line of requirements.in, name==version.
func requirement(image string) []Pin {
	data, _ := files.ReadFile(image + "/requirements.in")
	name, version, _ := strings.Cut(strings.TrimSpace(string(data)), "==")
	return []Pin{{name, version}}
}

// dependencies reads the exact versions that a package.json asks for, in its order.
func dependencies(folder string) []Pin {
	data, _ := files.ReadFile(folder + "/package.json")
	var p struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	_ = json.Unmarshal(data, &p) // what it lacks, a test finds
	var pins []Pin
	for name, version := range p.Dependencies {
		pins = append(pins, Pin{name, version})
	}
	slices.SortFunc(pins, func(a, b Pin) int { return strings.Compare(a.Name, b.Name) })
	return pins
}
