package mitmproxy_test

import (
	"testing"

	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/mitmproxy"
)

func TestConformance(t *testing.T) {
	formattest.Run(t, formattest.Suite{
		Format: "mitmproxy",
		Captures: map[string][]byte{
			"sample":  mitmproxy.Format{}.Profile().Sample,
			"no flow": nil,
			"odd values": file(dict{
				"text", "\x00\"\\\u2028ü😀", "octets", b("\xff\x00"), "a/b~c", b("long enough to be declared"), "__proto__", dict{"constructor", 1},
				"numbers", list{float("inf"), float("-inf"), float("nan"), float("-0.0"), float("1e+16"), 9007199254740993, -7},
			}, dict{}, dict{"type", "http", "request", request("GET", "http://user:password@h.example/\xff", "authority", b("user:password@h.example:80"))}),
		},
		Words: "producer-bytes byte-range offset integer float",
	})
}
