package mitmproxy_test

import (
	"bytes"
	"os"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/mitmproxy"
)

// BenchmarkRead is the reader alone: no process around it, no output. A file of
// one's own is named in REA_BENCH_FLOWS.
func BenchmarkRead(b *testing.B) {
	sample := mitmproxy.Format{}.Profile().Sample
	src := bytes.Repeat(sample, 1<<20/len(sample))
	if path := os.Getenv("REA_BENCH_FLOWS"); path != "" {
		var err error
		if src, err = os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := (mitmproxy.Format{}).Read(format.Input{Source: src}, &counting{}); err != nil {
			b.Fatal(err)
		}
	}
}
