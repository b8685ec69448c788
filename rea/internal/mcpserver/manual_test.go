package mcpserver

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"rea.example/rea/internal/app"
)

// TestManual plays the first conversation of the manual: what it shows of each
// answer is what the server answers, but for what depends on the file's place.
func TestManual(t *testing.T) {
	private(t)
	b, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	_, conversation, _ := strings.Cut(string(b), "## A first conversation")
	conversation, _, _ = strings.Cut(conversation, "\n## ")
	var sample string
	for _, p := range app.Formats() {
		if p.Name == "har" {
			sample = string(p.Sample)
		}
	}
	path := save(t, "shop.har", sample)
	c := begin(t, serving(t)).initialize()
	id := ""
	var answer map[string]any
	shown := 0
	for _, block := range strings.Split(conversation, "```json\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		block = strings.ReplaceAll(block, "/tmp/shop.har", path)
		if id != "" {
			block = evidenceID.ReplaceAllString(block, id)
		}
		var said map[string]any
		if err := json.Unmarshal([]byte(block), &said); err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		arguments, isCall := said["arguments"]
		name, _ := said["name"].(string)
		if said["source"] != nil {
			arguments, name, isCall = said, app.ViewOperation, true
		}
		if isCall {
			raw, err := json.Marshal(arguments)
			if err != nil {
				t.Fatal(err)
			}
			m := c.tool(name, string(raw))
			answer, _ = m.at("normalized_result").(map[string]any)
			if id == "" {
				id, _ = answer["parent_evidence_id"].(string)
			}
			continue
		}
		for member, value := range said {
			shown++
			if strings.HasSuffix(member, "_digest") || strings.HasSuffix(member, "_id") {
				if answer[member] == nil {
					t.Errorf("there is no %s", member)
				}
			} else if !reflect.DeepEqual(answer[member], value) {
				t.Errorf("%s is %v, and the manual shows %v", member, answer[member], value)
			}
		}
	}
	if shown < 10 {
		t.Errorf("the manual shows %d members", shown)
	}
}
