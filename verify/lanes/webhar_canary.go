package lanes

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/product"
	"rea.example/verify/report"
)

// canary is a secret of its own for every place at which a capture can hold one.
type canary struct {
	secrets []string
	plant   func(string)
}

func (c *canary) next() string {
	secret := fmt.Sprintf("zq%02dCanary%02dqz", len(c.secrets), 97-len(c.secrets))
	c.secrets = append(c.secrets, secret)
	c.plant(secret)
	return secret
}

// transportCapture has a distinct secret at every place where a HAR carries
// authentication.
func (c *canary) transportCapture() string {
	basic := base64.StdEncoding.EncodeToString([]byte("user:" + c.next()))
	cookie := func() string { return `{"name":"sid","value":"` + c.next() + `"}` }
	header := func(name, value string) string { return `{"name":"` + name + `","value":"` + value + `"}` }
	headers := func() string {
		return strings.Join([]string{
			header("Authorization", "Bearer "+c.next()),
			header("authorization", "Basic "+basic),
			header(`\tPROXY-Authorization `, "Digest response=\\\""+c.next()+"\\\""),
			header("Cookie", "a="+c.next()+"; b="+c.next()),
			header("Set-Cookie", "a="+c.next()+"; Path=/"),
			header("Location", "https://u:"+c.next()+"@host.example/next"),
			header("Referer", " //"+c.next()+"@host.example/"),
			header("Origin", "https://u:p@"+c.next()+"@host.example"),
			header("Accept", "*/*"),
		}, ",")
	}
	request := `{"method":"GET","url":"https://u:` + c.next() + `@host.example/a?x=1","httpVersion":"HTTP/1.1",` +
		`"cookies":[` + cookie() + `],"headers":[` + headers() + `],"queryString":[],"headersSize":-1,"bodySize":0}`
	response := `{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[` + cookie() + `],"headers":[` + headers() + `],` +
		`"content":{"size":4,"mimeType":"text/plain","text":"body"},"redirectURL":"https:u:` + c.next() + `@host.example/","headersSize":-1,"bodySize":4}`
	return `{"log":{"version":"1.2","creator":{"name":"canary","version":"1"},"entries":[` +
		`{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":` + request + `,"response":` + response +
		`,"cache":{},"timings":{"send":0,"wait":1,"receive":0}}]}}`
}

// spoilt are ways to make the capture unreadable after its secrets were read:
// an error must not quote them either.
var spoilt = []struct{ name, old, new string }{
	{"schema", `"time":1,`, `"time":null,`},
	{"version", `"version":"1.2"`, `"version":"1.1"`},
	{"duplicate", `"cache":{}`, `"cache":{},"cache":{}`},
	{"base64", `"text":"body"`, `"encoding":"base64","text":"AR=="`},
	{"truncated", `,"cache":{}`, `,"cache":{`},
}

func checkCanaries(ctx context.Context, b *bench.Bench, run *runner) error {
	c := &canary{plant: b.Plant}
	text := c.transportCapture()
	outputs := [][]string{{"--json"}, {"--format", "text"}, {"--conformance", "report", "--json"}}
	if err := c.check(ctx, b, run, whole, text, 0, outputs); err != nil {
		return err
	}
	for _, s := range spoilt {
		changed := strings.Replace(text, s.old, s.new, 1)
		if changed == text {
			return fmt.Errorf("canary capture %s is not spoilt", s.name)
		}
		if err := c.check(ctx, b, run, s.name, changed, 1, outputs[:2]); err != nil {
			return err
		}
	}
	return c.checkDeclared(ctx, b, run)
}

// check writes the capture and runs the product with each set of arguments; the
// exit status is held to the expected one except where the mode reports.
func (c *canary) check(ctx context.Context, b *bench.Bench, run *runner, name, text string, exit int, outputs [][]string) error {
	path := filepath.Join(b.Temp, "canary-"+name+".har")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	for _, args := range outputs {
		b.Check("canaries, "+name+" capture, "+strings.Join(args, " "), func() error {
			out, err := run.inspect(ctx, path, "har", args...)
			if err != nil {
				return err
			}
			if out.Exit != exit {
				return fmt.Errorf("exit status %d, expected %d", out.Exit, exit)
			}
			return c.absent(out)
		})
	}
	return nil
}

// checkDeclared marks a secret as sensitive that stands where nothing is hidden
// by structure: a body, a base64 body, a member's name, a number, the path.
func (c *canary) checkDeclared(ctx context.Context, b *bench.Bench, run *runner) error {
	const number = "8675309421"
	word := c.next()
	b.Plant(number)
	text := strings.NewReplacer(
		`"text":"body"`, `"encoding":"base64","text":"`+base64.StdEncoding.EncodeToString([]byte("my "+word))+`"`,
		`"time":1,`, `"time":`+number+`,"_`+word+`":[1],"comment":"`+word+`",`,
	).Replace(c.transportCapture())
	path := filepath.Join(b.Temp, "canary-"+word+".har")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	c.secrets = append(c.secrets, number)
	for _, format := range []string{"json", "text"} {
		b.Check("canaries, declared, "+format, func() error {
			out, err := run.inspect(ctx, path, "har", "--format", format, "--sensitive-value", word, "--sensitive-value", number)
			if err != nil {
				return err
			}
			if out.Exit != 0 {
				return fmt.Errorf("exit status %d, expected 0", out.Exit)
			}
			return c.absent(out)
		})
	}
	return nil
}

// absent searches both streams for every secret in every spelling.
func (c *canary) absent(out product.Output) error {
	if len(out.Stdout)+len(out.Stderr) == 0 {
		return errors.New("the product said nothing at all")
	}
	for i, secret := range c.secrets {
		if report.Leaks(out.Stdout, secret) {
			return fmt.Errorf("standard output holds planted secret %d", i)
		}
		if report.Leaks(out.Stderr, secret) {
			return fmt.Errorf("standard error holds planted secret %d", i)
		}
	}
	return nil
}
