package matrix_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"rea.example/verify/results/sample"
)

//go:embed look.js
var look string

// browser starts Chromium. Without one the test is skipped, except where
// REA_BROWSER=required.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		const reason = "unavailable: no Chromium on this machine (Debian: apt-get install chromium)"
		if os.Getenv("REA_BROWSER") == "required" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-dev-shm-usage", true))
	if os.Geteuid() == 0 { // its sandbox refuses root; the page is our own
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// seen is what look.js reports of a page.
type seen struct {
	Scroll, Client int64    // widths of the document and of the window
	Wide           []string // elements that reach beyond the window
	Faint          []string // texts whose contrast is below 4.5
	Small          []string // texts below 12 pixels
	Thin           []string // texts squeezed into a narrow column, in more lines than words
	Texts          int      // how many were measured
	Text           string
}

// complaints are what a browser says about a page beside showing it.
type complaints struct {
	sync.Mutex
	requests, console []string
}

func (c *complaints) forget() {
	c.Lock()
	defer c.Unlock()
	c.requests, c.console = nil, nil
}

func (c *complaints) hear(event any) {
	c.Lock()
	defer c.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		c.requests = append(c.requests, e.Request.URL)
	case *cdplog.EventEntryAdded:
		c.console = append(c.console, e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		c.console = append(c.console, "console."+string(e.Type))
	case *runtime.EventExceptionThrown:
		c.console = append(c.console, e.ExceptionDetails.Text)
	}
}

// spoiled has each fault once, for the eyes of the test.
const spoiled = `<!DOCTYPE html><body style="background:#fff"><div style="width:2000px">wide</div>
<p style="color:#999">faint</p><p style="width:1em;overflow-wrap:anywhere">squeezed</p><p style="font-size:11px">small</p><script>console.error("no")</script><img src="absent.png">`

// TestThePageInABrowser looks at the page as a person does: on a telephone, in half
// a window and on a desk, by day and by night.
func TestThePageInABrowser(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	pages := map[string]string{"run": whole(t), "passed": alone(t, sample.Passed()), "spoiled": spoiled}
	for name, html := range pages {
		if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(html), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var heard complaints
	if err := chromedp.Listen(ctx, heard.hear); err != nil {
		t.Fatal(err)
	}
	s, err := visit(ctx, "file://"+filepath.ToSlash(filepath.Join(dir, "spoiled.html")), 360, "light", "spoiled")
	if err != nil {
		t.Fatal(err)
	}
	heard.Lock()
	if s.Scroll <= s.Client || len(s.Wide) == 0 || len(s.Faint) != 1 || len(s.Small) != 1 || len(s.Thin) != 1 || len(heard.requests) < 2 || len(heard.console) < 1 {
		t.Errorf("the faults of a bad page: %+v, requests %q, console %q", s, heard.requests, heard.console)
	}
	heard.Unlock()
	for _, name := range []string{"run", "passed"} {
		address := "file://" + filepath.ToSlash(filepath.Join(dir, name+".html"))
		for _, width := range []int64{360, 1000, 1280, 1600} {
			for _, scheme := range []string{"light", "dark"} {
				heard.forget()
				s, err := visit(ctx, address, width, scheme, fmt.Sprintf("%s-%d-%s", name, width, scheme))
				if err != nil {
					t.Fatal(err)
				}
				t.Run(fmt.Sprintf("%s, %d pixels, %s", name, width, scheme), func(t *testing.T) {
					s.judge(t)
					heard.Lock()
					defer heard.Unlock()
					if len(heard.requests) != 1 || heard.requests[0] != address {
						t.Errorf("requests: %q", heard.requests)
					}
					if len(heard.console) > 0 {
						t.Errorf("console: %q", heard.console)
					}
				})
				if name == "run" {
					for _, part := range []string{"1 of 4 lanes failed.", "What needs a look", "text and structure agree", `\u202edezilaer`,
						"no container engine answers", "Since 3 March 2031", "Fails now", "8.19.0", "web:offline", "What it stood on"} {
						if !strings.Contains(strings.ToLower(s.Text), strings.ToLower(part)) {
							t.Errorf("%d pixels, %s: nobody can read %q", width, scheme, part)
						}
					}
				}
			}
		}
	}
}

// visit opens the page, unfolds every part and measures.
func visit(ctx context.Context, address string, width int64, scheme, picture string) (seen, error) {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err == nil {
		err = chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
	}
	if err == nil {
		err = shoot(ctx, picture+".png")
	}
	if err != nil {
		return seen{}, err
	}
	s, err := chromedp.Run(ctx, chromedp.Evaluate[seen](look))
	if err != nil {
		return s, err
	}
	return s, shoot(ctx, picture+"-unfolded.png")
}

// shoot leaves a picture in the folder that REA_SCREENSHOTS names, for a person.
func shoot(ctx context.Context, name string) error {
	folder := os.Getenv("REA_SCREENSHOTS")
	if folder == "" {
		return nil
	}
	data, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name), data, 0o600)
}

func (s seen) judge(t *testing.T) {
	t.Helper()
	if s.Scroll > s.Client || len(s.Wide) > 0 {
		t.Errorf("%d pixels of page in a window of %d; beyond it: %q", s.Scroll, s.Client, s.Wide)
	}
	if len(s.Faint) > 0 {
		t.Errorf("too faint to read: %q", s.Faint)
	}
	if len(s.Small) > 0 {
		t.Errorf("too small to read: %q", s.Small)
	}
	if len(s.Thin) > 0 {
		t.Errorf("squeezed: %q", s.Thin)
	}
	if s.Texts < 20 {
		t.Errorf("only %d texts were measured", s.Texts)
	}
}
