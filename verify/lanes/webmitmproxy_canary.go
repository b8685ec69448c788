package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
)

// Values of a flow file, each as its tnetstring.

func frame(payload, tag string) string { return fmt.Sprintf("%d:%s%s", len(payload), payload, tag) }

func octets(s string) string { return frame(s, ",") }

func unicode(s string) string { return frame(s, ";") }

func row(items ...string) string { return frame(strings.Join(items, ""), "]") }

// dictionary takes names and values in turn.
func dictionary(members ...string) string {
	var b strings.Builder
	for i, m := range members {
		if i%2 == 0 {
			m = unicode(m)
		}
		b.WriteString(m)
	}
	return frame(b.String(), "}")
}

// secretFlow is a flow file with a record for each secret, which is the only thing
// in it that must not be shown.
func (c *canary) secretFlow() []byte {
	var flows []string
	flow := func(members ...string) { flows = append(flows, dictionary(members...)) }
	for _, password := range []func(string) string{octets, unicode, func(s string) string { return row(octets("user"), octets(s)) }, func(s string) string { return dictionary("user", unicode(s)) }} {
		flow("metadata", dictionary("proxyauth", password(c.next())))
		flow("backup", dictionary("backup", dictionary("metadata", dictionary("proxyauth", password(c.next())))))
	}
	for _, side := range []string{"request", "response"} {
		for _, list := range []string{"headers", "trailers"} {
			field := func(name, text string) {
				pair := row(row(octets(name), octets(strings.Replace(text, planted, c.next(), 1))))
				flow(side, dictionary(list, pair))
			}
			for _, name := range credentialHeaders {
				field(name, planted)
				field(" "+strings.ToUpper(name)+"\t", planted)
			}
			for _, name := range []string{"Location", "referer", "ORIGIN"} {
				field(name, "https://u:"+planted+"@h.example/")
				field(name, "https://u:p@x:"+planted+"/s@h.example/")
				field(name, "http://\xff:"+planted+"@h.example/")
			}
			flow("backup", dictionary(side, dictionary(list, row(row(octets("Cookie"), row(octets(c.next())))))))
			flow(side, dictionary(list, dictionary("Cookie", octets(c.next()))))
			flow(side, dictionary(list, octets("Cookie: "+c.next())))
		}
	}
	for _, path := range []string{"https://u:" + planted + "@h.example/", "//" + planted + "@h.example/", "https:u:" + planted + "@h.example/"} {
		flow("request", dictionary("path", octets(strings.Replace(path, planted, c.next(), 1))))
	}
	for _, authority := range []string{"u:" + planted + "@h.example:443", planted + "@h.example", "u@" + planted + "@h.example"} {
		flow("request", dictionary("authority", octets(strings.Replace(authority, planted, c.next(), 1))))
	}
	return []byte(strings.Join(flows, ""))
}

// checkSecretFlow looks for each of them in what both decoders say.
func checkSecretFlow(ctx context.Context, b *bench.Bench, run *runner) error {
	c := &canary{plant: b.Plant}
	data := c.secretFlow()
	path := filepath.Join(b.Temp, "canary.mitm")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	for _, form := range []string{"json", "text"} {
		b.Check("canaries, a secret in each flow, "+form, func() error {
			out, err := run.inspect(ctx, path, "mitmproxy", "--decoder", "embedded", "--format", form)
			if err != nil {
				return err
			}
			if out.Exit != 0 {
				return fmt.Errorf("exit status %d, expected 0", out.Exit)
			}
			return errors.Join(c.absent(out), c.present(data))
		})
	}
	return nil
}
