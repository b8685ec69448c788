package lanes

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rea.example/verify/harfile"
	"rea.example/verify/product"
)

// zipReading is what zipread.py says of an archive.
type zipReading struct {
	Error    string                       `json:"error"`
	Members  []zipMember                  `json:"members"`
	Contents map[string][]byte            `json:"contents"` // of the members under raw/
	Metadata map[string][]json.RawMessage `json:"metadata"` // elements, each a name and a list of attributes
}

type zipMember struct {
	Name       string `json:"name"`
	Bytes      int64  `json:"bytes"`
	Compressed int64  `json:"compressed_bytes"`
	Method     string `json:"method"`
	CRC32      string `json:"crc32"`
}

func readZips(out []byte, asked int) ([]zipReading, error) {
	var list []zipReading
	for line := range bytes.Lines(out) {
		var z zipReading
		if err := json.Unmarshal(line, &z); err != nil {
			return nil, fmt.Errorf("zipread.py: %w", err)
		}
		list = append(list, z)
	}
	if len(list) != asked {
		return nil, fmt.Errorf("zipread.py read %d of %d archives", len(list), asked)
	}
	return list, nil
}

// roles are the members of a session by the ends of their names.
var roles = map[string]string{"_c.txt": "request", "_s.txt": "response", "_m.xml": "metadata", "_w.txt": "websocket", "_g.txt": "grpc"}

var sessionMember = regexp.MustCompile(`^raw/([^/]+)(_c\.txt|_s\.txt|_m\.xml|_w\.txt|_g\.txt)$`)

// zipSession is a session as the directory has it.
type zipSession struct {
	stem    string
	members map[string]string // role to name
	order   []string          // names as they come
}

func (z zipReading) sessions() []*zipSession {
	var list []*zipSession
	known := map[string]*zipSession{}
	for _, m := range z.Members {
		found := sessionMember.FindStringSubmatch(m.Name)
		if found == nil {
			continue
		}
		s := known[found[1]]
		if s == nil {
			s = &zipSession{stem: found[1], members: map[string]string{}}
			known[s.stem] = s
			list = append(list, s)
		}
		s.members[roles[found[2]]] = m.Name
		s.order = append(s.order, m.Name)
	}
	return list
}

// sameArchive holds the Evidence to the second reading.
func sameArchive(e *product.Evidence, z zipReading) error {
	if z.Error != "" {
		return fmt.Errorf("python can't read it: %s", z.Error)
	}
	container, err := value(e.Result.Container.Reported)
	if err != nil {
		return err
	}
	if err := sameInventory(harfile.At(container, "members"), z.Members); err != nil {
		return err
	}
	sessions := z.sessions()
	if len(sessions) != len(e.Result.Records) {
		return fmt.Errorf("%d records, the directory has %d sessions", len(e.Result.Records), len(sessions))
	}
	for i, record := range e.Result.Records {
		if err := sameSession(record, sessions[i], z); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

func sameInventory(reported any, members []zipMember) error {
	list, _ := reported.([]any)
	if len(list) != len(members) {
		return fmt.Errorf("%d members in the inventory of %d", len(list), len(members))
	}
	for i, m := range members {
		got := zipMember{Bytes: number(list[i], "bytes"), Compressed: number(list[i], "compressed_bytes")}
		got.Name, _ = harfile.At(list[i], "name").(string)
		got.Method, _ = harfile.At(list[i], "method").(string)
		got.CRC32, _ = harfile.At(list[i], "crc32").(string)
		if got != m {
			return fmt.Errorf("member %d of the inventory is another", i)
		}
		var role, stem any = "other", nil
		if found := sessionMember.FindStringSubmatch(m.Name); found != nil {
			role, stem = roles[found[2]], found[1]
		}
		if harfile.At(list[i], "role") != role || harfile.At(list[i], "session") != stem {
			return fmt.Errorf("member %d of the inventory has another role or session", i)
		}
	}
	return nil
}

func number(v any, name string) int64 {
	n, _ := harfile.At(v, name).(json.Number)
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return i
}

func sameSession(record product.Record, s *zipSession, z zipReading) error {
	reported, err := value(record.Reported)
	if err != nil {
		return err
	}
	if harfile.At(reported, "session") != s.stem {
		return errors.New("another session's stem")
	}
	if record.Location.Kind != "archive-members" || !slices.Equal(record.Location.Members, s.order) {
		return errors.New("the location is not the session's members in their order")
	}
	hidden := redacted(record.Redactions)
	for _, role := range roles {
		name, there := s.members[role]
		if got, _ := harfile.At(reported, "members", role).(string); got != name || there != (harfile.At(reported, "members", role) != nil) {
			return fmt.Errorf("another member for its %s", role)
		}
		if err := sameMember(record, reported, role, z.Contents[name], there, hidden); err != nil {
			return fmt.Errorf("%s: %w", role, err)
		}
	}
	return sameMetadata(harfile.At(reported, "metadata"), z.Metadata[s.members["metadata"]])
}

// sameMember compares the bytes of one member, and the lines of a head.
func sameMember(record product.Record, reported any, role string, content []byte, there bool, hidden map[string]string) error {
	switch role {
	case "metadata":
		return nil
	case "websocket", "grpc":
		field := binaryAt(record, "/"+role)
		if !there {
			if field != nil || harfile.At(reported, role) != nil {
				return errors.New("bytes of a member that is not there")
			}
			return nil
		}
		got, err := retainedBytes(field)
		if err == nil && !bytes.Equal(got, content) {
			err = errors.New("other bytes than the member's")
		}
		return err
	}
	head, body := binaryAt(record, "/"+role+"/head"), binaryAt(record, "/"+role+"/body")
	if !there {
		if head != nil || body != nil || harfile.At(reported, role) != nil {
			return errors.New("bytes of a member that is not there")
		}
		return nil
	}
	after, err := retainedBytes(body)
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	before, found := bytes.CutSuffix(content, after)
	if !found {
		return errors.New("the body is not the end of the member")
	}
	if len(after) > 0 && len(before) > 0 && !bytes.HasSuffix(before, []byte("\n\n")) && !bytes.HasSuffix(before, []byte("\n\r\n")) {
		return errors.New("the body does not begin behind an empty line")
	}
	if head != nil && head.State == "retained" {
		kept, err := retainedBytes(head)
		if err != nil || !bytes.Equal(kept, before) {
			return errors.New("head and body are not the member")
		}
	} else if len(before) > 0 && (head == nil || hidden["/"+role+"/head"] == "") {
		return errors.New("the head is left out, and nothing says so")
	}
	return sameHead(harfile.At(reported, role), role, before, hidden)
}

func retainedBytes(b *product.Binary) ([]byte, error) {
	if b == nil || b.State != "retained" || b.ContentBase64 == nil || b.Bytes == nil || b.SHA256 == nil {
		return nil, errors.New("no retained bytes")
	}
	data, err := base64.StdEncoding.Strict().DecodeString(*b.ContentBase64)
	if err != nil {
		return nil, errors.New("content_base64 is not canonical")
	}
	return data, sameBodyAt(*b, data)
}

func sameBodyAt(b product.Binary, data []byte) error {
	b.Pointer = harfile.BodyPointer
	return sameBody(b, data)
}

// sameHead compares the lines of a head whose lines all parse.
func sameHead(reported any, role string, head []byte, hidden map[string]string) error {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(decoded(head), "\r\n", "\n"), "\n"), "\n")
	if len(head) == 0 {
		if list, _ := harfile.At(reported, "headers").([]any); len(list) > 0 {
			return errors.New("headers of an empty message")
		}
		return nil
	}
	start := strings.SplitN(lines[0], " ", 3)
	if last := strings.LastIndexByte(lines[0], ' '); role == "request" && last > len(start[0]) {
		start = []string{start[0], lines[0][len(start[0])+1 : last], lines[0][last+1:]}
	}
	for _, line := range lines[1:] {
		if name, _, ok := strings.Cut(line, ":"); !ok || strings.ContainsAny(name, " \t") || name == "" {
			return nil // which of these lines are kept is for the product's tests to say
		}
	}
	fields := map[string][]string{"request": {"method", "target", "http_version"}, "response": {"http_version", "status", "reason"}}[role]
	for i, name := range fields {
		pointer := "/" + role + "/" + name
		if i >= len(start) || hidden[pointer] != "" || harfile.At(reported, name) == nil && len(start) < len(fields) {
			continue
		}
		if got := fmt.Sprint(harfile.At(reported, name)); got != start[i] {
			return fmt.Errorf("%s is not what the head says", name)
		}
	}
	list, _ := harfile.At(reported, "headers").([]any)
	if len(list) != len(lines)-1 {
		return fmt.Errorf("%d headers of %d lines", len(list), len(lines)-1)
	}
	for i, line := range lines[1:] {
		name, text, _ := strings.Cut(line, ":")
		if harfile.At(list[i], "name") != name {
			return fmt.Errorf("header %d has another name", i)
		}
		if hidden["/"+role+"/headers/"+strconv.Itoa(i)+"/value"] != "" {
			continue
		}
		if harfile.At(list[i], "value") != strings.Trim(text, " \t") {
			return fmt.Errorf("header %d has another value", i)
		}
	}
	return nil
}

// decoded is the text of a head: UTF-8, else ISO-8859-1.
func decoded(head []byte) string {
	if utf8.Valid(head) {
		return string(head)
	}
	var b strings.Builder
	for _, c := range head {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// sameMetadata compares the elements in document order, with their attributes.
func sameMetadata(tree any, elements []json.RawMessage) error {
	var got []string
	var walk func(node any)
	walk = func(node any) {
		if harfile.At(node, "kind") != "element" {
			return
		}
		line := fmt.Sprint(harfile.At(node, "name"))
		attributes, _ := harfile.At(node, "attributes").([]any)
		for _, a := range attributes {
			line += fmt.Sprintf("|%v=%v", harfile.At(a, "name"), harfile.At(a, "value"))
		}
		got = append(got, line)
		children, _ := harfile.At(node, "children").([]any)
		for _, c := range children {
			walk(c)
		}
	}
	walk(tree)
	if len(got) != len(elements) {
		return fmt.Errorf("metadata: %d elements, expat reads %d", len(got), len(elements))
	}
	for i, raw := range elements {
		var element []json.RawMessage
		var name string
		var attributes []string
		err := json.Unmarshal(raw, &element)
		if err == nil && len(element) == 2 {
			err = errors.Join(json.Unmarshal(element[0], &name), json.Unmarshal(element[1], &attributes))
		}
		if err != nil {
			return fmt.Errorf("zipread.py: %w", err)
		}
		want := name
		for a := 0; a+1 < len(attributes); a += 2 {
			want += "|" + attributes[a] + "=" + attributes[a+1]
		}
		if got[i] != want {
			return fmt.Errorf("metadata: element %d is another", i)
		}
	}
	return nil
}
