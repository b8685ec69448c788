package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rea.example/rea/internal/limits"
)

// filled is a capture of exactly size bytes, made of as many repetitions of a
// part as fit.
func filled(head, part, tail string, size int) []byte {
	n := (size - len(head) - len(tail) + 1) / (len(part) + 1)
	var b bytes.Buffer
	b.Grow(size)
	b.WriteString(head)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(part)
	}
	b.WriteString(tail)
	b.Write(bytes.Repeat([]byte{' '}, size-b.Len()))
	return b.Bytes()
}

// TestQlogCapacity takes large traces through the built program, with all of its
// bounds.
func TestQlogCapacity(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the bounds are those of Linux")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "rea")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const head = `{"qlog_format": "JSON", "qlog_version": "0.3", "traces": [`
	recorded, err := os.ReadFile("internal/format/qlog/testdata/aioquic-loss.qlog")
	if err != nil {
		t.Fatal(err)
	}
	real := strings.TrimSuffix(strings.TrimPrefix(string(recorded), head), "]}")
	const (
		packet = `{"name":"transport:packet_sent","time":0,"data":{"frames":[`
		frame  = `{"frame_type":"stream","stream_id":0,"offset":0,"length":1,"fin":true}`
	)
	// In each trace a thousand streams of one frame each.
	var streams []string
	for i := range 1000 {
		streams = append(streams, fmt.Sprintf(`{"frame_type":"stream","stream_id":%d}`, i))
	}
	sparse := `{"events":[` + packet + strings.Join(streams, ",") + `]}}]}`
	for _, c := range []struct {
		name    string
		capture []byte
		args    []string
		code    string // of the failure, "" for success
		records int
	}{
		{"20 MiB, complete", filled(head, real, "]}", 20<<20), nil, "", -1},
		{"32 MiB, one record", filled(head, real, "]}", limits.CaptureBytes), []string{"--record", "77"}, "", 1},
		{"32 MiB, complete", filled(head, real, "]}", limits.CaptureBytes), nil, "unreadable_output", 0},
		{"a byte more", filled(head, real, "]}", limits.CaptureBytes+1), []string{"--record", "77"}, "invalid_request", 0},
		{"a packet in each event", filled(head+`{"events":[`, packet+frame+"]}}", "]}]}", limits.CaptureBytes),
			[]string{"--record", "77"}, "", 1},
		{"facts beyond the reply", filled(head, sparse, "]}", limits.CaptureBytes), []string{"--record", "0"}, "unreadable_output", 0},
		{"one packet of frames", filled(head+`{"events":[`+packet, frame, "]}}]}]}", limits.CaptureBytes), []string{"--record", "0"}, "resource_constraint", 0},
		{"nothing but traces", filled(head, `{"events":[]}`, "]}", limits.CaptureBytes), []string{"--record", "0"}, "resource_constraint", 0},
	} {
		path := filepath.Join(dir, "capture.qlog")
		if err := os.WriteFile(path, c.capture, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, append([]string{"inspect-web-network-capture", path, "qlog", "--json"}, c.args...)...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		var got struct {
			Code   string
			Result struct {
				Total   int `json:"total_records"`
				Records []struct{ Ordinal int }
				QLOG    struct{ Traces []struct{ Events int } }
			} `json:"normalized_result"`
		}
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v %.300s%.300s", c.name, err, stdout.Bytes(), stderr.Bytes())
		}
		if got.Code != c.code {
			t.Errorf("%s: %q, want %q: %.500s", c.name, got.Code, c.code, stdout.Bytes())
			continue
		}
		if c.code != "" {
			continue
		}
		events := 0
		for _, tr := range got.Result.QLOG.Traces {
			events += tr.Events
		}
		want := c.records
		if want < 0 {
			want = got.Result.Total
		}
		if events != got.Result.Total || events == 0 || len(got.Result.Records) != want {
			t.Errorf("%s: %d records of %d, facts of %d events", c.name, len(got.Result.Records), got.Result.Total, events)
		}
	}
}
