package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rea.example/containers"
	"rea.example/corpora"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/lane"
	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
	"rea.example/verify/sazfile"
)

// WebSAZ reads session archives that Fiddler products wrote and ones that are made
// here, and holds what the product says of each to Python's zipfile and expat.
var WebSAZ = lane.Lane{
	Name:  "web:saz",
	Doc:   "Session archives, real and made, against Python's zipfile and expat; broken ones and limits; both faces; originals unchanged.",
	Needs: lane.Needs{Useful: []containers.Image{containers.MITMDump}},
	Run:   runWebSAZ,
}

// published are the corpora that other people publish, with what is known of each.
var published = []struct {
	name   string
	checks []archiveCheck
}{
	{"forest", []archiveCheck{
		{"two Mattermost servers on 127.0.0.1 were recorded", talksTo("127.0.0.1:8065", "127.0.0.1:9065")},
		{"MMAUTHTOKEN cookies are left out", leavesOut("MMAUTHTOKEN=")},
		{"a body begins with %PDF-1.4", hasBody("%PDF-1.4")},
		{"bodies of JSON are read", hasBody("{")},
	}},
	{"clearinet", []archiveCheck{
		{"bodies in a content coding stay as they are stored", hasBody("\x1f\x8b")},
	}},
}

func runWebSAZ(ctx context.Context, b *bench.Bench) error {
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	if err := checkTable(ctx, b, run, "saz"); err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, b.Product)
	if err != nil {
		return err
	}
	faces := &sazFaces{run, s}
	if err := checkPublished(ctx, b, faces); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := checkGiven(ctx, b, faces); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := checkMade(ctx, b, faces); err != nil {
		return errors.Join(err, s.Close())
	}
	b.Check("the server ends in order", s.Close)
	return nil
}

// sazFaces are both faces of the product.
type sazFaces struct {
	run     *runner
	session *mcpclient.Session
}

// checkPublished reads the archives of FOREST and Clearinet where they were
// fetched.
func checkPublished(ctx context.Context, b *bench.Bench, faces *sazFaces) error {
	locks, err := corpora.Load(b.Root)
	if err != nil {
		return err
	}
	for _, p := range published {
		lock, err := corpora.Named(locks, p.name)
		if err != nil {
			return err
		}
		paths, err := lock[0].Open()
		if errors.Is(err, corpora.ErrUnavailable) {
			b.NotRun(p.name+": its archives", err.Error())
			for _, c := range p.checks {
				b.NotRun(p.name+": "+c.name, "the archives are not there")
			}
			continue
		}
		if err != nil {
			return err
		}
		b.Pin("corpus "+p.name, lock[0].Commit, "gitCommit:"+lock[0].Commit)
		var files []captures.File
		for i, path := range paths {
			f := lock[0].Files[i]
			files = append(files, captures.File{Name: p.name + " " + f.Path, Path: path, SHA256: f.SHA256, Bytes: f.Bytes})
		}
		if err := checkArchives(ctx, b, faces, files); err != nil {
			return err
		}
		for _, c := range p.checks {
			b.Check(p.name+": "+c.name, func() error { return c.on(ctx, faces.run, files) })
		}
	}
	return nil
}

// checkGiven reads the archives of the folder that the environment names.
func checkGiven(ctx context.Context, b *bench.Bench, faces *sazFaces) error {
	dir := os.Getenv(captures.Variable)
	if dir == "" {
		return nil
	}
	files, err := captures.Read(dir, "saz")
	if err != nil {
		return err
	}
	b.Pin("corpus", fmt.Sprintf("%d archives of the folder in %s", len(files), captures.Variable))
	var good []captures.File
	for _, f := range files {
		if strings.HasPrefix(f.Note, "ACCEPT") {
			good = append(good, f)
			continue
		}
		b.Check(f.Name+": refused", func() error { return faces.refused(ctx, f, "invalid_request", "invalid_format", "") })
	}
	return checkArchives(ctx, b, faces, good)
}

// checkMade reads the archives that are made here.
func checkMade(ctx context.Context, b *bench.Bench, faces *sazFaces) error {
	dir := filepath.Join(b.Temp, "made")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	put := func(i int, prefix string, a sazfile.Archive) (captures.File, error) {
		path := filepath.Join(dir, fmt.Sprintf("%s-%02d.saz", prefix, i))
		f := captures.File{Name: a.Name, Path: path, SHA256: captures.Digest(a.Data), Bytes: int64(len(a.Data))}
		return f, os.WriteFile(path, a.Data, 0o600)
	}
	var good []captures.File
	for i, a := range sazfile.WellMade() {
		f, err := put(i, "good", a)
		if err != nil {
			return err
		}
		f.Name = "made, " + f.Name
		good = append(good, f)
	}
	if err := checkArchives(ctx, b, faces, good); err != nil {
		return err
	}
	for i, a := range sazfile.BadlyMade() {
		f, err := put(i, "bad", a.Archive)
		if err != nil {
			return err
		}
		b.Check("refused, "+f.Name, func() error { return faces.refused(ctx, f, a.Code, a.Reason, a.Member) })
	}
	return checkSAZCanaries(ctx, b, faces, dir)
}

// checkArchives makes every comparison on archives that have to be read.
func checkArchives(ctx context.Context, b *bench.Bench, faces *sazFaces, files []captures.File) error {
	if len(files) == 0 {
		return nil
	}
	out, reason, err := python(ctx, b, "zipread.py", files)
	if err != nil {
		return err
	}
	var second []zipReading
	if reason != "" {
		b.NotRun("the second reading by zipfile and expat", reason)
	} else if second, err = readZips(out, len(files)); err != nil {
		return err
	}
	for i, f := range files {
		before, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		var e *product.Evidence
		var out product.Output
		read := b.Check(f.Name+": read", func() (err error) {
			if out, err = faces.run.inspect(ctx, f.Path, "saz", "--json"); err != nil {
				return err
			}
			e, err = out.Evidence()
			return errors.Join(explain(err, out))
		})
		if read {
			b.Check(f.Name+": evidence id, artifact, table", func() error {
				return errors.Join(sameID(out.Stdout, e.ID), sameFile(e, f), sameNote(f, true, e.Result.TotalRecords))
			})
			b.Check(f.Name+": credentials", func() error { return noSAZCredentials(e) })
			if second != nil {
				b.Check(f.Name+": inventory, sessions, bytes and metadata as Python reads them", func() error { return sameArchive(e, second[i]) })
			}
		}
		b.Check(f.Name+": both faces, and the original unchanged", func() error {
			err := sameFaces(ctx, faces.session, arguments(f.Path, "saz", nil), out)
			return errors.Join(err, untouched(f, before))
		})
	}
	return nil
}

// sameFile compares the artifact and what says who read.
func sameFile(e *product.Evidence, f captures.File) error {
	a := e.Result.Artifact
	if a.SHA256 == nil || *a.SHA256 != f.SHA256 || a.Bytes != f.Bytes {
		return errors.New("the artifact's digest or size is not the file's")
	}
	if e.Provider != e.Result.Decoder || e.Provider.ID == "" {
		return errors.New("provider and decoder differ")
	}
	if len(e.Result.Records) != e.Result.TotalRecords {
		return fmt.Errorf("%d records of %d", len(e.Result.Records), e.Result.TotalRecords)
	}
	for i, r := range e.Result.Records {
		if r.Ordinal != i {
			return fmt.Errorf("record %d says ordinal %d", i, r.Ordinal)
		}
	}
	return nil
}

// untouched wants the file as it was.
func untouched(f captures.File, before os.FileInfo) error {
	after, err := os.Stat(f.Path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	if captures.Digest(data) != f.SHA256 || !after.ModTime().Equal(before.ModTime()) || after.Mode() != before.Mode() || !os.SameFile(before, after) {
		return errors.New("the original was changed")
	}
	return nil
}

// refused wants the same failure by both faces: of that code and reason, naming
// the member.
func (s *sazFaces) refused(ctx context.Context, f captures.File, code, reason, member string) error {
	out, err := s.run.inspect(ctx, f.Path, "saz", "--json")
	if err != nil {
		return err
	}
	got, err := out.Failure()
	if err != nil {
		return err
	}
	if err := sameFaces(ctx, s.session, arguments(f.Path, "saz", nil), out); err != nil {
		return err
	}
	return sameRefusal(got, code, reason, member)
}

func sameRefusal(got *product.Failure, code, reason, member string) error {
	if got.Code != code {
		return fmt.Errorf("code %s, expected %s", got.Code, code)
	}
	if reason != "" && (len(got.Details.Issues) == 0 || got.Details.Issues[0].Reason != reason) {
		return fmt.Errorf("another reason than %s", reason)
	}
	named, _ := got.Pointer()
	if code == "capability_unavailable" {
		named = got.Details.Pointer
	}
	if member != "" && named != member {
		return errors.New("the member is not named")
	}
	return nil
}
