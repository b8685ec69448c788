package saz_test

import (
	"testing"

	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/saz"
)

// words are the names and constants of the contract.
const words = "saz-member-bytes archive-members session members request response metadata websocket grpc method target http_version " +
	"status reason headers name value body head element attributes children text comment instruction " +
	"compressed_bytes crc32 role other store deflate"

func TestConformance(t *testing.T) {
	formattest.Run(t, formattest.Suite{
		Format: "saz",
		Captures: map[string][]byte{
			"sample": saz.Format{}.Profile().Sample,
			"odd values": saz.Archive("caf\xe9 \"x\"",
				"notes/ü\n.txt", "never read", "raw/a/", "", `raw/s"~1_c.txt`, "GET /caf\xe9?long=enough HTTP/1.1\r\nA long name: \x01\"\\\u2028\r\nodd\r\n\r\n\x00\xff",
				`raw/s"~1_m.xml`, `<a b="long enough">to be<!--declared--><?once more?></a>`, `raw/2_s.txt`, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 Okay\r\nSet-Cookie: x\r\n\r\n",
				"raw/2_w.txt", "sent and received", "raw/3_g.txt", "\x00\x00\x00\x00\x05hello"),
		},
		Words: words,
	})
}
