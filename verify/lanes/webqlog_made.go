package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/mcpclient"
	"rea.example/verify/qlogfile"
)

// madeTrace is a trace that nobody recorded: with what recorded ones rarely show.
type madeTrace struct{ name, text string }

func qlogOf(traces ...[]string) string {
	var list []string
	for i, events := range traces {
		list = append(list, fmt.Sprintf(`{"common_fields":{"ODCID":"%02x"},"vantage_point":{"name":"aioquic","type":"server"},"events":[%s]}`, i, strings.Join(events, ",\n")))
	}
	return `{"qlog_format":"JSON","qlog_version":"0.3","traces":[` + strings.Join(list, ",\n") + `]}`
}

// packet is the event of a packet with the given frames.
func packet(name string, frames ...string) string {
	return fmt.Sprintf(`{"name":%q,"time":1.5,"data":{"frames":[%s],"header":{"packet_number":7,"packet_type":"1RTT"}}}`, name, strings.Join(frames, ","))
}

func streamFrame(id string, offset, length int, fin bool) string {
	return fmt.Sprintf(`{"frame_type":"stream","stream_id":%s,"offset":%d,"length":%d,"fin":%t}`, id, offset, length, fin)
}

const (
	sent     = "transport:packet_sent"
	received = "transport:packet_received"
	lost     = "recovery:packet_lost"
)

// streamTraces are streams whose frames repeat, touch, hold and overlap each other,
// in and out of order, and that end more than once.
func streamTraces() []madeTrace {
	one := func(spans ...[2]int) string {
		var events []string
		for _, s := range spans {
			events = append(events, packet(sent, streamFrame("0", s[0], s[1]-s[0], false)))
		}
		return qlogOf(events)
	}
	return []madeTrace{
		{"the same range three times", one([2]int{0, 10}, [2]int{0, 10}, [2]int{0, 10})},
		{"the same range twice, behind a gap", one([2]int{5, 10}, [2]int{20, 30}, [2]int{20, 30})},
		{"ranges that touch", one([2]int{0, 10}, [2]int{10, 20}, [2]int{21, 30})},
		{"a range in another", one([2]int{0, 30}, [2]int{10, 20}, [2]int{0, 30}, [2]int{0, 5}, [2]int{25, 30})},
		{"ranges that overlap, out of order", one([2]int{38, 45}, [2]int{30, 40}, [2]int{0, 10}, [2]int{8, 31})},
		{"ranges of no bytes", one([2]int{7, 7}, [2]int{0, 3}, [2]int{3, 3}, [2]int{2, 2})},
		{"ends of one size", qlogOf([]string{
			packet(sent, streamFrame("0", 0, 10, true), streamFrame("0", 10, 0, true)), packet(sent, streamFrame("0", 5, 5, true)),
			packet(sent, `{"frame_type":"ping"}`, streamFrame("0", 0, 10, true)),
		})},
		{"ends that contradict each other", qlogOf([]string{
			packet(sent, streamFrame("0", 0, 10, true), streamFrame("0", 0, 8, true)), packet(sent, streamFrame("0", 0, 12, true), streamFrame("0", 0, 10, true)),
		})},
		{"streams in two directions and traces", qlogOf(
			[]string{packet(received, streamFrame("4", 0, 3, false)), packet(sent, streamFrame("10", 0, 4, true), streamFrame("9", 0, 5, false), streamFrame("4", 0, 6, true))},
			nil,
			[]string{packet(received, streamFrame("9", 0, 1, false), streamFrame("4611686018427387903", 0, 2, true)), packet(sent, streamFrame("9", 0, 7, true))},
		)},
		{"losses", qlogOf([]string{
			`{"name":"recovery:packet_lost","time":1,"data":{"packet_number":3,"type":"1RTT"}}`, packet(sent, streamFrame("0", 0, 1, false)),
			`{"name":"recovery:packet_lost","time":1,"data":{"packet_number":3,"type":"1RTT"}}`, `{"name":"recovery:packet_lost","time":1,"data":{"packet_number":4,"type":"0RTT"}}`,
		})},
	}
}

// secretTrace has an event for each secret, which is the only thing in it that must
// not be shown.
func (c *canary) secretTrace() string {
	var events []string
	event := func(text string) { events = append(events, strings.ReplaceAll(text, planted, c.next())) }
	token := `{"frame_type":"new_token","length":"8","token":"SECRET"}`
	reset := `{"frame_type":"new_connection_id","connection_id":"00","length":1,"sequence_number":"1","NAME":"SECRET"}`
	frames := []string{token, strings.ReplaceAll(token, "new_token", "NEW_TOKEN"), strings.ReplaceAll(reset, "NAME", "reset_token"), strings.ReplaceAll(reset, "NAME", "stateless_reset_token")}
	for _, name := range []string{sent, received, lost, "transport:packet_buffered", "transport:frames_processed", "transport:packet_dropped"} {
		for _, frame := range frames {
			event(`{"name":"` + name + `","time":1,"data":{"type":"1RTT","packet_number":1,"frames":[{"frame_type":"ping"},` + frame + `]}}`)
		}
	}
	for _, frame := range frames {
		event(`{"name":"transport:frame_processed","time":1,"data":{"frame":` + frame + `}}`)
	}
	for _, name := range []string{"transport:parameters_set", "transport:parameters_restored"} {
		for _, parameter := range []string{`"reset_token":"SECRET"`, `"stateless_reset_token":"SECRET"`, `"preferred_address":{"ip_v4":"::","stateless_reset_token":"SECRET"}`} {
			event(`{"name":"` + name + `","time":1,"data":{"owner":"local",` + parameter + `}}`)
		}
	}
	for _, name := range []string{"http:frame_created", "http:frame_parsed"} {
		headers := func(text string) {
			event(`{"name":"` + name + `","time":1,"data":{"frame":{"frame_type":"headers","headers":` + text + `},"stream_id":0}}`)
		}
		for _, h := range credentialHeaders {
			headers(`[{"name":"x","value":"y"},{"name":"` + h + `","value":"SECRET"}]`)
			headers(`[{"name":" ` + strings.ToUpper(h) + `\t","value":["SECRET"]}]`)
			headers(`{"` + h + `":"SECRET"}`)
		}
		for _, h := range []string{"location", "referer", "origin", ":path"} {
			headers(`[{"name":"` + h + `","value":"https://u:SECRET@h.example/"}]`)
			headers(`[{"name":"` + h + `","value":"https://u:p@x:SECRET/s@h.example/"}]`)
		}
		headers(`[{"name":":authority","value":"u:SECRET@h.example:443"}]`)
		headers(`[["cookie","SECRET"]]`)
		headers(`"cookie: SECRET"`)
	}
	return qlogOf(events)
}

// checkMadeTraces makes the comparisons of traces on those that are made here, and
// looks for what must be left out of one.
func checkMadeTraces(ctx context.Context, b *bench.Bench, run *runner, s *mcpclient.Session) error {
	for i, m := range streamTraces() {
		path := filepath.Join(b.Temp, fmt.Sprintf("made-%02d.qlog", i))
		if err := os.WriteFile(path, []byte(m.text), 0o600); err != nil {
			return err
		}
		f := captures.File{Path: path, SHA256: captures.Digest([]byte(m.text)), Bytes: int64(len(m.text))}
		second, err := qlogfile.Read([]byte(m.text))
		if err != nil {
			return err
		}
		b.Check("made, "+m.name+": events and facts as counted byte by byte, by both faces", func() error {
			out, err := run.inspect(ctx, path, "qlog", "--json")
			if err != nil {
				return err
			}
			e, err := out.Evidence()
			if err != nil {
				return explain(err, out)
			}
			return errors.Join(sameFile(e, f), sameEvents(e, second), sameFacts(e.Result.Qlog, second), sameFaces(ctx, s, arguments(path, "qlog", nil), out))
		})
	}
	c := &canary{plant: b.Plant}
	text := c.secretTrace()
	path := filepath.Join(b.Temp, "canary.qlog")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	for _, form := range []string{"json", "text", "yaml"} {
		b.Check("canaries, a secret in each event, "+form, func() error {
			out, err := run.inspect(ctx, path, "qlog", "--format", form)
			if err != nil {
				return err
			}
			if out.Exit != 0 {
				return fmt.Errorf("exit status %d, expected 0", out.Exit)
			}
			return errors.Join(c.absent(out), c.present([]byte(text)))
		})
	}
	return nil
}
