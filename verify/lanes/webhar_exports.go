package lanes

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/judge"
	"rea.example/verify/product"
)

// checkExports lets mitmdump record traffic that is made for it and export it as
// HAR, and holds the product's reading of that file to the judge and to what the
// origin served.
func checkExports(ctx context.Context, b *bench.Bench, run *runner) error {
	if reason := b.Lacks(containers.MITMDump); reason != "" {
		b.NotRun("HARs that mitmdump exports", reason)
		return nil
	}
	c := &canary{plant: b.Plant}
	for range trafficSecrets {
		c.next()
	}
	b.Say("traffic through mitmdump")
	made, err := recordTraffic(ctx, b, c.secrets, "answered.har", "export.har", "served.json")
	if err != nil {
		return err
	}
	served, err := readOrigin(made["served.json"])
	if err != nil {
		return err
	}
	var files []captures.File
	for _, name := range []string{"answered.har", "export.har"} {
		path := filepath.Join(b.Temp, name)
		if err := os.WriteFile(path, made[name], 0o600); err != nil {
			return err
		}
		files = append(files, captures.File{
			Name: "mitmdump's " + name, Path: path, Kind: "har",
			SHA256: captures.Digest(made[name]), Bytes: int64(len(made[name])),
		})
	}
	verdicts, err := b.Judge.Verdicts(ctx, paths(files))
	if err != nil {
		return err
	}
	b.Check("mitmdump exports what the judge expects", func() error { return expectedVerdicts(verdicts) })
	for i, f := range files {
		if err := checkHAR(ctx, b.Check, run, f, verdicts[i]); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"--json"}, {"--format", "text"}} {
		b.Check("secrets of the traffic, "+strings.Join(args, " "), func() error {
			out, err := run.inspect(ctx, files[0].Path, "har", args...)
			if err != nil {
				return err
			}
			return errors.Join(c.absent(out), c.present(made["answered.har"]))
		})
	}
	b.Check("bodies are those that the origin served", func() error {
		out, err := run.inspect(ctx, files[0].Path, "har", "--json")
		if err != nil {
			return err
		}
		e, err := out.Evidence()
		if err != nil {
			return explain(err, out)
		}
		return sameServedHAR(e, byPath(served.Recorded))
	})
	return nil
}

// expectedVerdicts wants the export with errors, whose entries lack what a
// response needs, to be refused for that, and the other to be accepted although
// a text in it is null.
func expectedVerdicts(v []judge.Verdict) error {
	switch {
	case v[0].Verdict != "accept":
		return fmt.Errorf("answered.har is refused: %s at %q", v[0].Stage, v[0].Pointer)
	case v[1].Verdict != "reject" || v[1].Stage != "schema":
		return fmt.Errorf("export.har is not refused by the schema: %s %s", v[1].Verdict, v[1].Stage)
	}
	return nil
}

// present says when a secret is not in the capture at all, so that its absence in
// the Evidence would show nothing.
func (c *canary) present(capture []byte) error {
	for i, secret := range c.secrets {
		if !strings.Contains(string(capture), secret) {
			return fmt.Errorf("planted secret %d is not in the capture", i)
		}
	}
	return nil
}

// sameServedHAR holds every record to the row of the origin with its path.
func sameServedHAR(e *product.Evidence, rows map[string]answered) error {
	null, decoded := 0, 0
	for i, record := range e.Result.Records {
		entry, err := value(record.Reported)
		if err != nil {
			return err
		}
		if harfile.At(entry, "_webSocketMessages") != nil {
			continue
		}
		address, _ := harfile.At(entry, "request", "url").(string)
		u, err := url.Parse(address)
		if err != nil {
			return fmt.Errorf("record %d has no URL", i)
		}
		row, ok := rows[u.RequestURI()]
		if !ok {
			return fmt.Errorf("record %d was not served", i)
		}
		delete(rows, u.RequestURI())
		if err := sameServedBody(record, entry, row); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
		decoded += len(record.BinaryFields)
		if data, ok := harfile.At(entry, "request", "postData").(map[string]any); ok && data["text"] == nil {
			if row.RequestBytes < streamed {
				return fmt.Errorf("record %d: the text of a body that was kept is null", i)
			}
			null++
		}
	}
	if len(rows) > 0 {
		return fmt.Errorf("%d answers of the origin are in no record", len(rows))
	}
	if decoded == 0 {
		return errors.New("no body came as base64")
	}
	if null != 1 {
		return fmt.Errorf("%d records with the null text of a streamed body, expected 1", null)
	}
	return nil
}

func sameServedBody(record product.Record, entry any, row answered) error {
	digest, size := row.IdentitySHA256, row.IdentityBytes
	if row.ResponseBytes > streamed {
		digest, size = captures.Digest(nil), 0
	}
	content := harfile.At(entry, "response", "content")
	if harfile.At(content, "encoding") == "base64" {
		if len(record.BinaryFields) != 1 || record.BinaryFields[0].SHA256 == nil || *record.BinaryFields[0].SHA256 != digest {
			return errors.New("the decoded body is not the one that was served")
		}
		return nil
	}
	text, ok := harfile.At(content, "text").(string)
	if !ok {
		return errors.New("no text")
	}
	mime, _ := harfile.At(content, "mimeType").(string)
	body := []byte(text)
	if !strings.HasSuffix(mime, "charset=utf-8") { // then it reads ISO-8859-1
		body = body[:0:0]
		for _, c := range text {
			body = append(body, byte(c))
		}
	}
	if captures.Digest(body) != digest || int64(len(body)) != size {
		return errors.New("the text is not the one that was served")
	}
	return nil
}
