package speed

import (
	"context"
	"fmt"
	"time"

	"github.com/goccy/go-json"

	"rea.example/verify/mcpclient"
)

const (
	viewedRecords = 10_000
	warmUps       = 20
	pages         = 200
)

// views asks the MCP server for preview pages of a capture that it retains, as an
// agent does, and takes the time from the request to the answer, parsed.
func views(ctx context.Context, b *bench) ([]row, error) {
	capture := b.file("viewed.har")
	s := shape{limit: captureBytes, entries: viewedRecords, body: 512, headers: 12}
	entries, err := s.create(capture)
	if err != nil {
		return nil, err
	}
	server, err := mcpclient.Open(ctx, b.product)
	if err != nil {
		return nil, err
	}
	rows, err := pageTimes(ctx, server, capture, entries)
	if cerr := server.Close(); err == nil {
		err = cerr
	}
	return rows, err
}

func pageTimes(ctx context.Context, server *mcpclient.Session, capture string, entries int) ([]row, error) {
	path, err := json.Marshal(capture)
	if err != nil {
		return nil, fmt.Errorf("speed: %w", err)
	}
	document, err := called(ctx, server, "inspect_web_network_capture", fmt.Appendf(nil, `{"capture_path":%s,"format":"har","detail":"summary"}`, path))
	if err != nil {
		return nil, err
	}
	var summary struct {
		Result struct {
			Parent string `json:"parent_evidence_id"`
		} `json:"normalized_result"`
	}
	if err := json.Unmarshal(document, &summary); err != nil {
		return nil, fmt.Errorf("speed: %w", err)
	}
	var rows []row
	for _, limit := range []int{20, 100} {
		var samples []sample
		for n := range warmUps + pages {
			offset := n * 997 % (entries - limit)
			arguments := fmt.Appendf(nil, `{"source":{"kind":"retained-evidence","evidence_id":%q},"view":{"kind":"capture","detail":"preview","offset":%d,"limit":%d}}`,
				summary.Result.Parent, offset, limit)
			began := time.Now()
			if _, err := called(ctx, server, "inspect_analysis_view", arguments); err != nil {
				return nil, err
			}
			if n >= warmUps {
				samples = append(samples, sample{wall: time.Since(began)})
			}
		}
		r := row{job: fmt.Sprintf("MCP, preview page of %d of %d records, warm, p50", limit, entries), ours: medians(samples)}
		if limit == 20 { // the page that is given unasked
			r.goal = "5 ms"
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// called is the document that a tool answers, which must be no failure.
func called(ctx context.Context, server *mcpclient.Session, tool string, arguments []byte) ([]byte, error) {
	r, err := server.Call(ctx, tool, arguments)
	if err != nil {
		return nil, err
	}
	document, err := r.Document()
	if err == nil && r.IsError {
		err = fmt.Errorf("speed: %s failed: %s", tool, document)
	}
	return document, err
}
