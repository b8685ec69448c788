package schema

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// kinds is a set of JSON types, one bit for each tree.Kind and one for "integer".
type kinds uint8

const integer kinds = 1 << 7

func kind(k tree.Kind) kinds { return 1 << k }

var typeNames = map[string]kinds{
	"null":    kind(tree.Null),
	"boolean": kind(tree.False) | kind(tree.True),
	"number":  kind(tree.Number),
	"integer": integer,
	"string":  kind(tree.String),
	"array":   kind(tree.Array),
	"object":  kind(tree.Object),
}

// rule is one compiled schema.
type rule struct {
	// at is ajv's path of the schema, to which an error adds its keyword.
	at string

	types kinds // what the type keyword admits; 0 where there is none
	// lateType: ajv tests a lone type together with the keywords that are for this
	// type only, and so complains of it after $ref and oneOf.
	lateType bool
	typeWord any // the type keyword's value

	ref   *rule
	oneOf []*rule

	pattern     func(string) bool
	patternText string
	format      func(string) bool
	formatName  string

	items *rule

	properties []property
	// byLength lists, for a length of a name, the properties that have such a
	// name, as indexes. It's all the hashing that names this few need.
	byLength [][]uint8
	required []uint8 // indexes of properties, in the order of the keyword
	needed   uint64  // the same as a set of bits
}

// maxProperties is how many bits a set of properties has.
const maxProperties = 64

// property is a member that the schema names. Its rule is nil where the name is
// only required.
type property struct {
	name string
	rule *rule
}

// compiler turns the files of a directory into rules, each file once.
type compiler struct {
	files map[string]tree.Value // by file name
	done  map[string]*rule
}

func compile(fsys fs.FS) (*schemas, error) {
	names, err := fs.Glob(fsys, "har-schema-2.0.0/*.json")
	if err != nil {
		return nil, err
	}
	c := compiler{files: map[string]tree.Value{}, done: map[string]*rule{}}
	for _, name := range names {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		v, err := strictjson.Parse(src, limits.CaptureDepth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.files[path.Base(name)] = v
	}
	document, err := c.file("har.json")
	if err != nil {
		return nil, err
	}
	s := &schemas{document: document}
	s.entries = document.member("log").member("entries")
	if s.entries != nil {
		s.entry = s.entries.items.target()
	}
	s.postDataText = s.entry.member("request").member("postData").member("text")
	if s.postDataText == nil {
		return nil, fmt.Errorf("har.json does not lead to entries and their postData.text")
	}
	return s, nil
}

// member is the rule of a property, behind any reference; nil if there is none.
func (r *rule) member(name string) *rule {
	if r = r.target(); r == nil {
		return nil
	}
	if i := r.find(name); i >= 0 {
		return r.properties[i].rule
	}
	return nil
}

// target follows a reference.
func (r *rule) target() *rule {
	if r != nil && r.ref != nil {
		return r.ref
	}
	return r
}

// file compiles a whole file. ajv inlines a schema that refers to no other, and
// then its errors name the file; others are functions, whose errors begin with "#".
func (c *compiler) file(name string) (*rule, error) {
	if r, ok := c.done[name]; ok {
		return r, nil
	}
	v, ok := c.files[name]
	if !ok {
		return nil, fmt.Errorf("there is no %s", name)
	}
	at := "#"
	if !refers(&v) {
		at = name + "#"
	}
	r := new(rule)
	c.done[name] = r
	if err := c.schema(r, &v, at); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// refers says whether a $ref stands anywhere in a schema.
func refers(v *tree.Value) bool {
	for i := range v.Items {
		if v.Items[i].Name == "$ref" || refers(&v.Items[i]) {
			return true
		}
	}
	return false
}

func (c *compiler) schema(r *rule, v *tree.Value, at string) error {
	r.at = at
	if v.Kind != tree.Object {
		return fmt.Errorf("%s is not an object", at)
	}
	for i := range v.Items {
		if err := c.keyword(r, v.Items[i].Name, &v.Items[i]); err != nil {
			return err
		}
	}
	if err := r.index(v.Get("required")); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	switch r.types {
	case kind(tree.String):
		r.lateType = r.pattern != nil || r.format != nil
	case kind(tree.Array):
		r.lateType = r.items != nil
	case kind(tree.Object):
		r.lateType = len(r.required) > 0 || len(r.properties) > 0
	}
	return nil
}

func (c *compiler) keyword(r *rule, word string, v *tree.Value) (err error) {
	wrong := func(what string) error { return fmt.Errorf("%s/%s: %s", r.at, word, what) }
	switch word {
	case "$id", "$schema", "optional", "min", "unique":
		// ajv ignores these: two identify, the others are not JSON Schema's.
	case "type":
		if r.typeWord, r.types = types(v); r.types == 0 {
			return wrong("not a type")
		}
	case "$ref":
		name, isFile := strings.CutSuffix(text(v), "#")
		if !isFile {
			return wrong("only whole files can be referred to")
		}
		r.ref, err = c.file(name)
	case "oneOf":
		if v.Kind != tree.Array || len(v.Items) == 0 {
			return wrong("not a list of schemas")
		}
		for i := range v.Items {
			branch := new(rule)
			if err := c.schema(branch, &v.Items[i], fmt.Sprintf("%s/oneOf/%d", r.at, i)); err != nil {
				return err
			}
			r.oneOf = append(r.oneOf, branch)
		}
	case "pattern":
		r.patternText = text(v)
		if r.pattern = patterns[r.patternText]; r.pattern == nil {
			return wrong("no matcher for this pattern")
		}
	case "format":
		r.formatName = text(v)
		if r.format = formats[r.formatName]; r.format == nil {
			return wrong("no matcher for this format")
		}
	case "items":
		r.items = new(rule)
		return c.schema(r.items, v, r.at+"/items")
	case "required":
		// Comes last: it can name what properties doesn't.
	case "properties":
		return c.properties(r, v)
	default:
		return wrong("unknown keyword")
	}
	return err
}

func (c *compiler) properties(r *rule, v *tree.Value) error {
	if v.Kind != tree.Object {
		return fmt.Errorf("%s/properties is not an object", r.at)
	}
	for i := range v.Items {
		name := v.Items[i].Name
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return fmt.Errorf("%s/properties has a name that a path would have to escape", r.at)
		}
		p := property{name, new(rule)}
		if err := c.schema(p.rule, &v.Items[i], r.at+"/properties/"+name); err != nil {
			return err
		}
		r.properties = append(r.properties, p)
	}
	return nil
}

// types gives a type keyword's value and meaning; no meaning where it has none.
func types(v *tree.Value) (word any, set kinds) {
	if v.Kind == tree.String {
		return text(v), typeNames[text(v)]
	}
	names := make([]any, len(v.Items))
	for i := range v.Items {
		name := text(&v.Items[i])
		if typeNames[name] == 0 {
			return nil, 0
		}
		names[i] = name
		set |= typeNames[name]
	}
	return names, set
}

// index makes the table by which a member's property is found, and adds to it what
// is only required.
func (r *rule) index(required *tree.Value) error {
	if required != nil && required.Kind != tree.Array {
		return fmt.Errorf("required is not a list of names")
	}
	for i := 0; required != nil && i < len(required.Items); i++ {
		name := text(&required.Items[i])
		p := slices.IndexFunc(r.properties, func(p property) bool { return p.name == name })
		if p < 0 {
			p = len(r.properties)
			r.properties = append(r.properties, property{name: name})
		}
		r.required = append(r.required, uint8(p))
		r.needed |= 1 << p
	}
	if len(r.properties) > maxProperties {
		return fmt.Errorf("more than %d members have a name", maxProperties)
	}
	for i, p := range r.properties {
		for len(r.byLength) <= len(p.name) {
			r.byLength = append(r.byLength, nil)
		}
		r.byLength[len(p.name)] = append(r.byLength[len(p.name)], uint8(i))
	}
	return nil
}

// text is the text of a string in a schema file, else "".
func text(v *tree.Value) string {
	s, _ := v.Str()
	return s
}
