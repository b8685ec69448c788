package lanes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/product"
	"rea.example/verify/sazfile"
)

// archiveCheck is something that is known of published archives.
type archiveCheck struct {
	name string
	on   func(context.Context, *runner, []captures.File) error
}

func readArchives(ctx context.Context, run *runner, files []captures.File, visit func(out product.Output, e *product.Evidence) error) error {
	for _, f := range files {
		out, err := run.inspect(ctx, f.Path, "saz", "--json")
		if err != nil {
			return err
		}
		e, err := out.Evidence()
		if err != nil {
			return explain(err, out)
		}
		if err := visit(out, e); err != nil {
			return err
		}
	}
	return nil
}

// talksTo wants requests to each of the hosts, somewhere in the archives.
func talksTo(hosts ...string) func(context.Context, *runner, []captures.File) error {
	return func(ctx context.Context, run *runner, files []captures.File) error {
		seen := map[string]bool{}
		err := readArchives(ctx, run, files, func(_ product.Output, e *product.Evidence) error {
			for _, r := range e.Result.Records {
				reported, err := value(r.Reported)
				if err != nil {
					return err
				}
				target, _ := harfile.At(reported, "request", "target").(string)
				for _, h := range hosts {
					seen[h] = seen[h] || strings.HasPrefix(target, "http://"+h+"/")
				}
			}
			return nil
		})
		for _, h := range hosts {
			if !seen[h] {
				err = errors.Join(err, fmt.Errorf("no request to %s", h))
			}
		}
		return err
	}
}

// leavesOut wants the text nowhere but where the archive's own bytes are given,
// and those of heads with it are left out.
func leavesOut(text string) func(context.Context, *runner, []captures.File) error {
	return func(ctx context.Context, run *runner, files []captures.File) error {
		return readArchives(ctx, run, files, func(_ product.Output, e *product.Evidence) error {
			for i, r := range e.Result.Records {
				reported, err := value(r.Reported)
				if err != nil {
					return err
				}
				for _, side := range []string{"request", "response"} {
					headers, _ := harfile.At(reported, side, "headers").([]any)
					for _, h := range headers {
						if v, _ := harfile.At(h, "value").(string); strings.Contains(v, text) {
							return fmt.Errorf("record %d: a header holds it", i)
						}
					}
					if head := binaryAt(r, "/"+side+"/head"); head != nil && head.State == "retained" {
						if data, err := retainedBytes(head); err != nil || bytes.Contains(data, []byte(text)) {
							return fmt.Errorf("record %d: a head holds it", i)
						}
					}
				}
			}
			return nil
		})
	}
}

// hasBody wants a body that begins so.
func hasBody(beginning string) func(context.Context, *runner, []captures.File) error {
	return func(ctx context.Context, run *runner, files []captures.File) error {
		found := false
		err := readArchives(ctx, run, files, func(_ product.Output, e *product.Evidence) error {
			for _, r := range e.Result.Records {
				for _, field := range r.BinaryFields {
					if strings.HasSuffix(field.Pointer, "/body") && field.State == "retained" {
						data, err := retainedBytes(&field)
						if err != nil {
							return err
						}
						found = found || bytes.HasPrefix(data, []byte(beginning))
					}
				}
			}
			return nil
		})
		if err == nil && !found {
			err = errors.New("no such body")
		}
		return err
	}
}

// noSAZCredentials looks at the four headers of every message.
func noSAZCredentials(e *product.Evidence) error {
	for i, record := range e.Result.Records {
		reported, err := value(record.Reported)
		if err != nil {
			return err
		}
		hidden := redacted(record.Redactions)
		for _, side := range []string{"request", "response"} {
			headers, _ := harfile.At(reported, side, "headers").([]any)
			for n, h := range headers {
				name, _ := harfile.At(h, "name").(string)
				if !isCredentialHeader(name) {
					continue
				}
				pointer := fmt.Sprintf("/%s/headers/%d/value", side, n)
				head := binaryAt(record, "/"+side+"/head")
				if harfile.At(h, "value") != nil || hidden[pointer] != credential || head == nil || head.State != "redacted" {
					return fmt.Errorf("record %d: a credential is reported at %s, or in the head", i, pointer)
				}
			}
		}
	}
	return nil
}

// whole begins the names of archives with secrets that have to be read.
const whole = "whole"

// checkSAZCanaries plants a secret at every place where an archive carries
// authentication, and looks for it in what both faces say of the archive, and of
// damaged ones.
func checkSAZCanaries(ctx context.Context, b *bench.Bench, faces *sazFaces, dir string) error {
	c := &canary{plant: b.Plant}
	data := sazfile.WithSecrets(c.next)
	alone := sazfile.Alone(c.next)
	for _, a := range []sazfile.Archive{
		{Name: whole, Data: data},
		{Name: whole + ", one secret in a session", Data: alone},
		{Name: "with a member twice", Data: sazfile.Repeat(data)},
		{Name: "cut", Data: data[:len(data)-30]},
		{Name: "with a changed directory", Data: bytes.Replace(data, []byte("PK\x01\x02"), []byte("PK\x01\x03"), 1)},
		{Name: "with another local header", Data: bytes.Replace(data, []byte("PK\x03\x04"), []byte("PK\x03\x05"), 1)},
	} {
		path := filepath.Join(dir, "canary.saz")
		if err := os.WriteFile(path, a.Data, 0o600); err != nil {
			return err
		}
		for _, form := range []string{"json", "text"} {
			b.Check("canaries, archive "+a.Name+", "+form, func() error {
				out, err := faces.run.inspect(ctx, path, "saz", "--format", form)
				if err != nil {
					return err
				}
				if (out.Exit == 0) != strings.HasPrefix(a.Name, whole) {
					return fmt.Errorf("exit status %d", out.Exit)
				}
				return c.absent(out)
			})
		}
		b.Check("canaries, archive "+a.Name+", tool", func() error {
			r, err := faces.session.Call(ctx, inspectTool, arguments(path, "saz", nil))
			if err != nil {
				return err
			}
			said, err := r.Document()
			return errors.Join(err, c.absent(product.Output{Stdout: said, Stderr: r.Structured}))
		})
	}
	return nil
}
