package mcpclient_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
)

// fakeServer makes this test binary a server with one answer to each method.
const fakeServer = "REA_TEST_FAKE_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakeServer); kind != "" {
		serve(kind)
	}
	os.Exit(m.Run())
}

func serve(kind string) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		line := lines.Text()
		_, id, _ := strings.Cut(line, `"id":`)
		id, _, _ = strings.Cut(id, ",")
		answer := func(body string) { fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, body) }
		switch {
		case strings.Contains(line, `"initialize"`):
			answer(`"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"fake"}}`)
		case strings.Contains(line, `"good"`):
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`)
			answer(`"result":{"content":[{"type":"text","text":"{\"a\":1.0}"}],"structuredContent":{"a":1.0}}`)
		case strings.Contains(line, `"bad"`):
			answer(`"result":{"content":[{"type":"text","text":"{\"error\":{\"code\":\"c\"}}"}],"isError":true}`)
		case strings.Contains(line, `"worse"`):
			answer(`"error":{"code":-32602,"message":"no such tool"}`)
		case strings.Contains(line, `"last"`):
			os.Exit(0)
		}
	}
	if kind == "loud" {
		fmt.Fprintln(os.Stderr, "a word")
	}
	if kind == "failing" {
		os.Exit(3)
	}
	os.Exit(0)
}

func open(t *testing.T, kind string) *mcpclient.Session {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := mcpclient.Open(context.Background(), &product.Product{Path: self, Env: []string{fakeServer + "=" + kind}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAnswersComeAsTheServerWroteThem(t *testing.T) {
	s, ctx := open(t, "quiet"), context.Background()
	if s.Server.ServerInfo.Name != "fake" {
		t.Errorf("%+v", s.Server)
	}
	r, err := s.Call(ctx, "good", []byte(`{}`))
	if err != nil || r.IsError || string(r.Structured) != `{"a":1.0}` {
		t.Fatalf("%+v, %v", r, err)
	}
	if d, err := r.Document(); err != nil || string(d) != `{"a":1.0}` {
		t.Errorf("%s, %v", d, err)
	}
	if notes := s.Notes(); len(notes) != 1 || notes[0].Method != "notifications/progress" {
		t.Errorf("notes %v", notes)
	}
	r, err = s.Call(ctx, "bad", []byte(`{}`))
	if err != nil || !r.IsError {
		t.Fatalf("%+v, %v", r, err)
	}
	if d, err := r.Document(); err != nil || string(d) != `{"code":"c"}` {
		t.Errorf("%s, %v", d, err)
	}
	var e *mcpclient.Error
	if _, err := s.Call(ctx, "worse", []byte(`{}`)); !errors.As(err, &e) || e.Code != -32602 {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAServerThatDiesAnswersNoQuestion(t *testing.T) {
	s := open(t, "quiet")
	for range 2 {
		if _, err := s.Call(context.Background(), "last", []byte(`{}`)); err == nil {
			t.Error("a dead server answered")
		}
	}
	_ = s.Close()
}

func TestADisorderlyEndIsSeen(t *testing.T) {
	for _, kind := range []string{"loud", "failing"} {
		if err := open(t, kind).Close(); err == nil {
			t.Errorf("%s: the end passed for an orderly one", kind)
		}
	}
}
