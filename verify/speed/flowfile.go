package speed

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

// flowFile is a mitmproxy flow file of one kind.
type flowFile struct {
	name  string
	limit int // bytes; flows are added while they fit
	body  int // bytes of each response's body
}

// smallFlows are about as small as flows of HTTP over TLS get.
var smallFlows = flowFile{name: "small flows", limit: captureBytes, body: 64}

// completeFlows are for Evidence of everything: what somebody recorded while
// clicking a minute, and an hour, and as much as a reply may hold.
var completeFlows = []flowFile{
	{name: "minute", limit: 200_000, body: 2048},
	{name: "hour", limit: 2 << 20, body: 2048},
	{name: "most", limit: 14 << 20, body: 2048},
}

// file is its name in the run's folder.
func (s flowFile) file() string { return s.name + ".mitm" }

// create writes the file and gives its number of flows.
func (s flowFile) create(path string) (flows int, err error) {
	random := rand.New(rand.NewPCG(uint64(s.body), 1))
	var b, flow []byte
	for ; ; flows++ {
		if flow = s.flow(random, flows); len(b)+len(flow) > s.limit {
			break
		}
		b = append(b, flow...)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	return flows, nil
}

// flow is a state of version 21, as mitmproxy 12 stores one of HTTP/1.1 over TLS.
func (s flowFile) flow(random *rand.Rand, n int) []byte {
	var (
		none  = token("", '~')
		no    = token("false", '!')
		yes   = token("true", '!')
		empty = token("", ']')
		text  = func(s string) []byte { return token(s, ';') }
		octet = func(s string) []byte { return token(s, ',') }
		whole = func(n int) []byte { return token(strconv.Itoa(n), '#') }
		// As the clock gives them: to fractions of a microsecond.
		at     = func(seconds float64) []byte { return token(strconv.FormatFloat(seconds, 'f', -1, 64), '^') }
		pair   = func(host string, port int) []byte { return joined(']', text(host), whole(port)) }
		header = func(name, value string) []byte { return joined(']', octet(name), octet(value)) }
		id     = func(r *rand.Rand) []byte {
			return text(fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Uint64N(1<<48)))
		}
		// Eight flows share their connections.
		shared = rand.New(rand.NewPCG(uint64(n/8), 2))
		opened = 1.7e9 + float64(n/8) + shared.Float64()
		began  = opened + float64(n%8)/8 + random.Float64()/16
	)
	body := make([]byte, s.body)
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	connection := [][]byte{
		text("tls"), yes, text("tls_version"), text("TLSv1.3"), text("cipher"), text("TLS_AES_128_GCM_SHA256"), text("cipher_list"), empty,
		text("alpn"), octet("http/1.1"), text("alpn_offers"), joined(']', octet("h2"), octet("http/1.1")), text("sni"), text("host.example"),
		text("certificate_list"), empty, text("error"), none, text("transport_protocol"), text("tcp"), text("timestamp_start"), at(opened), text("timestamp_end"), none,
		text("timestamp_tls_setup"), at(opened + 0.0371),
	}
	return joined('}',
		text("version"), whole(21), text("type"), text("http"), text("id"), id(random), text("error"), none,
		text("client_conn"), joined('}', append([][]byte{
			text("id"), id(shared), text("peername"), pair("127.0.0.1", 50000+n/8%9000), text("sockname"), pair("127.0.0.1", 8080),
			text("mitmcert"), none, text("proxy_mode"), text("regular"),
		}, connection...)...),
		text("server_conn"), joined('}', append([][]byte{
			text("id"), id(shared), text("address"), pair("host.example", 443), text("peername"), pair("203.0.113.9", 443),
			text("sockname"), pair("198.51.100.4", 40000+n/8%9000), text("via"), none, text("timestamp_tcp_setup"), at(opened + 0.0123),
		}, connection...)...),
		text("intercepted"), no, text("is_replay"), none, text("marked"), text(""), text("metadata"), token("", '}'), text("comment"), text(""),
		text("timestamp_created"), at(began), text("backup"), none,
		text("request"), joined('}',
			text("http_version"), octet("HTTP/1.1"),
			text("headers"), joined(']', header("Host", "host.example"), header("Accept", "application/json"), header("Cookie", "sid=0123456789abcdef")),
			text("content"), octet(""), text("trailers"), none, text("timestamp_start"), at(began), text("timestamp_end"), at(began+0.0007),
			text("host"), text("host.example"), text("port"), whole(443), text("method"), octet("GET"), text("scheme"), octet("https"),
			text("authority"), octet(""), text("path"), octet("/r/"+strconv.Itoa(n)),
		),
		text("response"), joined('}',
			text("http_version"), octet("HTTP/1.1"),
			text("headers"), joined(']', header("Content-Type", "application/octet-stream"), header("Content-Length", strconv.Itoa(s.body)), header("Set-Cookie", "seen=1")),
			text("content"), token(string(body), ','), text("trailers"), none, text("timestamp_start"), at(began+0.0211), text("timestamp_end"), at(began+0.0213),
			text("status_code"), whole(200), text("reason"), octet("OK"),
		),
		text("websocket"), none,
	)
}

// token is one tnetstring.
func token(content string, kind byte) []byte {
	b := strconv.AppendInt(nil, int64(len(content)), 10)
	b = append(append(b, ':'), content...)
	return append(b, kind)
}

func joined(kind byte, parts ...[]byte) []byte { return token(string(bytes.Join(parts, nil)), kind) }
