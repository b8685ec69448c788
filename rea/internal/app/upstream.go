package app

import (
	"context"
	"os"
	"runtime"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/owned"
	"rea.example/rea/internal/source"
)

// Who reads a capture, where another program can do it too.
const (
	decoderAuto     = "auto" // the other program where it is named in the environment, else this one
	decoderUpstream = "upstream"
	decoderEmbedded = "embedded"
)

// upstream is another program that is to read the capture.
type upstream struct {
	format.Upstream
	path string
}

// chooseDecoder decides who reads, once the format is known. That the other
// program can't be run is a failure: nobody else reads in its place.
func (r *inspectRequest) chooseDecoder() *failure.Failure {
	foreign, ok := r.format.(format.Foreign)
	if !ok || r.decoder == decoderEmbedded {
		return nil
	}
	up := upstream{Upstream: foreign.Upstream()}
	up.path = os.Getenv(up.Variable)
	if up.path == "" && r.decoder != decoderUpstream {
		return nil
	}
	switch why := owned.Runnable(up.path); {
	case runtime.GOOS != up.System:
		return up.unavailable(r.format.Profile().Name, up.Program+" is run on "+up.System+" alone")
	case up.path == "":
		return up.unavailable(r.format.Profile().Name, up.Variable+" is not set")
	case why != "":
		return up.unavailable(r.format.Profile().Name, up.Variable+" "+why)
	}
	r.upstream, r.format = &up, up.Reader
	return nil
}

// unavailable is the failure of a program that is not the one required.
func (u *upstream) unavailable(format, reason string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.CapabilityUnavailable,
		Message: reason,
		Action:  "Name " + u.Program + " " + u.Version + " by its absolute path in " + u.Variable + ", on " + u.System + "; or use decoder: " + decoderEmbedded + ".",
		Details: map[string]any{
			"provider_id": format, "operation": evidence.InspectCapture, "reason": reason, "required_version": u.Version,
		},
	}
}

// read has the program read the capture, and gives the file with its reply.
func (a *App) read(ctx context.Context, u *upstream, call source.Call, about owned.About, room *source.Room, snapshot *os.File) (*os.File, *failure.Failure) {
	reply, err := room.Create("upstream.reply")
	if err != nil {
		return nil, call.Unwritable(err)
	}
	configuration, err := room.Folder("configuration")
	if err != nil {
		return nil, call.Unwritable(err)
	}
	script, err := room.Put("script.py", u.Script)
	if err != nil {
		return nil, call.Unwritable(err)
	}
	outcome := owned.Run(ctx, owned.Command{
		Path:     a.Program,
		Foreign:  &owned.Foreign{Path: u.path, Args: u.Args(configuration, script), Environment: u.Environment},
		Dir:      room.Path(),
		Reply:    reply,
		Snapshot: snapshot,
		Deadline: limits.Deadline,
	})
	return reply, outcome.Failure(about)
}
