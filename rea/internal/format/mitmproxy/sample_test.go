package mitmproxy_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/mitmproxy"
)

var update = flag.Bool("update", false, "write sample.mitm")

type (
	dict  = formattest.Dict
	float = formattest.Float
	list  = []any
)

// b is octets.
func b(s string) []byte { return []byte(s) }

// headers are pairs of octets.
func headers(namesAndValues ...string) list {
	l := list{}
	for i := 0; i < len(namesAndValues); i += 2 {
		l = append(l, list{b(namesAndValues[i]), b(namesAndValues[i+1])})
	}
	return l
}

// with is a dictionary with members added, or those of a name replaced.
func with(d dict, members ...any) dict {
	out := append(dict{}, d...)
members:
	for i := 0; i < len(members); i += 2 {
		for k := 0; k < len(out); k += 2 {
			if out[k] == members[i] {
				out[k+1] = members[i+1]
				continue members
			}
		}
		out = append(out, members[i], members[i+1])
	}
	return out
}

var client = dict{
	"id", "0b6e9f3c-71d2-4a55-8c1e-2f60a3a91b01",
	"peername", list{"127.0.0.1", 50312}, "sockname", list{"127.0.0.1", 8080},
	"tls", true, "tls_version", "TLSv1.3", "cipher", "TLS_AES_128_GCM_SHA256", "cipher_list", list{}, "alpn", b("http/1.1"), "alpn_offers", list{b("h2"), b("http/1.1")},
	"sni", "shop.example", "certificate_list", list{}, "mitmcert", nil, "error", nil, "proxy_mode", "regular", "transport_protocol", "tcp",
	"timestamp_start", float("1924991999.25"), "timestamp_tls_setup", float("1924991999.3125"), "timestamp_end", nil,
}

var server = dict{
	"id", "52c7d0ae-0f34-4f0b-9a44-6d4a0cf5e302",
	"address", list{"shop.example", 443}, "peername", list{"203.0.113.9", 443}, "sockname", list{"198.51.100.4", 40122},
	"tls", true, "tls_version", "TLSv1.3", "cipher", "TLS_AES_128_GCM_SHA256", "cipher_list", list{}, "alpn", b("http/1.1"), "alpn_offers", list{b("http/1.1")},
	"sni", "shop.example", "certificate_list", list{}, "error", nil, "via", nil, "transport_protocol", "tcp",
	"timestamp_start", float("1924991999.5"), "timestamp_tcp_setup", float("1924991999.5625"), "timestamp_tls_setup", float("1924991999.75"), "timestamp_end", nil,
}

// flow is what states of every type share.
func flow(kind, id string, members ...any) dict {
	return with(dict{
		"version", 21, "type", kind, "id", id, "error", nil, "client_conn", client, "server_conn", server,
		"intercepted", false, "is_replay", nil, "marked", "", "metadata", dict{}, "comment", "",
		"timestamp_created", float("1924992000.0"), "backup", nil,
	}, members...)
}

func request(method, path string, members ...any) dict {
	return with(dict{
		"http_version", b("HTTP/1.1"), "headers", headers("Host", "shop.example"), "content", b(""), "trailers", nil,
		"timestamp_start", float("1924992000.125"), "timestamp_end", float("1924992000.1328125"),
		"host", "shop.example", "port", 443, "method", b(method), "scheme", b("https"), "authority", b(""), "path", b(path),
	}, members...)
}

func response(status int, reason string, members ...any) dict {
	return with(dict{
		"http_version", b("HTTP/1.1"), "headers", headers(), "content", b(""), "trailers", nil,
		"timestamp_start", float("1924992000.4375"), "timestamp_end", float("1924992000.5"),
		"status_code", status, "reason", b(reason),
	}, members...)
}

func http(id string, req, resp any, members ...any) dict {
	return flow("http", id, append([]any{"request", req, "response", resp, "websocket", nil}, members...)...)
}

// sampleFlows is an invented visit to a shop: a page of items, an order that is
// edited in the proxy and refused, a socket, and a plain TCP connection.
func sampleFlows() []dict {
	order := request("POST", "/orders",
		"headers", headers("Host", "shop.example", "Authorization", "Bearer invented-token", "Content-Type", "application/json",
			"Referer", "https://guest:invented-password@shop.example/items"),
		"content", b(`{"item":7,"count":2}`))
	return []dict{
		http("7d0f3bb2-6a58-4a8e-8f5e-5a1f4c1f7a10",
			request("GET", "/items?limit=2", "headers", headers("Host", "shop.example", "Accept", "application/json", "Cookie", "session=invented-session")),
			response(200, "OK",
				"headers", headers("Content-Type", "application/json", "Content-Encoding", "identity", "Set-Cookie", "seen=1", "Set-Cookie", "theme=dark"),
				"content", b(`{"items":[{"id":7,"name":"Teekanne"},{"id":9,"name":"Löffel"}]}`))),
		http("7d0f3bb2-6a58-4a8e-8f5e-5a1f4c1f7a11",
			with(order, "content", b(`{"item":7,"count":-2}`)),
			response(422, "Unprocessable Content", "headers", headers("Content-Type", "text/plain"), "content", b("count\x00\xff"), "trailers", headers("X-Checked", "yes")),
			"marked", ":shopping_cart:", "comment", "count changed by hand",
			"backup", http("7d0f3bb2-6a58-4a8e-8f5e-5a1f4c1f7a11", order, nil)),
		http("7d0f3bb2-6a58-4a8e-8f5e-5a1f4c1f7a12",
			request("GET", "/stock", "headers", headers("Host", "shop.example", "Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Version", "13")),
			response(101, "Switching Protocols", "headers", headers("Upgrade", "websocket", "Connection", "Upgrade"), "content", nil),
			"websocket", dict{
				"messages", list{
					list{1, true, b(`{"watch":7}`), float("1924992001.0"), false, false},
					list{1, false, b(`{"item":7,"left":3}`), float("1924992001.25"), false, false},
					list{2, false, b("\x00\x07\x00\x02\xff"), float("1924992002.75"), false, false},
				},
				"closed_by_client", true, "close_code", 1000, "close_reason", "", "timestamp_end", float("1924992003.5"),
			}),
		flow("tcp", "7d0f3bb2-6a58-4a8e-8f5e-5a1f4c1f7a13",
			"messages", list{
				list{true, b("PING\r\n"), float("1924992004.0")},
				list{false, b("PONG\r\n"), float("1924992004.03125")},
			}),
	}
}

func file(flows ...dict) (out []byte) {
	for _, f := range flows {
		out = append(out, formattest.TNetString(f)...)
	}
	return out
}

// TestSample: the embedded sample is what this file makes.
func TestSample(t *testing.T) {
	want := file(sampleFlows()...)
	if *update {
		if err := os.WriteFile("sample.mitm", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := (mitmproxy.Format{}).Profile().Sample; !bytes.Equal(got, want) && !*update {
		t.Error("sample.mitm is not what the flows make; run the test with -update")
	}
}
