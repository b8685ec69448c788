package targets

import (
	"context"

	"github.com/magefile/mage/mg"

	"rea.example/verify/lane"
	"rea.example/verify/lanes"
)

// Web are the lanes about recorded web traffic.
type Web mg.Namespace

// Har compares the product with the npm packages that define the HAR profile, on real, changed and fresh captures.
func (Web) Har(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebHAR, lane.Options{Report: or(report), Attest: or(attest)})
}

// Mitmproxy lets mitmdump record traffic, and compares both readings of flow files.
func (Web) Mitmproxy(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebMitmproxy, lane.Options{Report: or(report), Attest: or(attest)})
}

// Saz compares the product with Python's zipfile and expat, on real, made and broken archives.
func (Web) Saz(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebSAZ, lane.Options{Report: or(report), Attest: or(attest)})
}

// Views computes every view once more from the complete Evidence.
func (Web) Views(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebViews, lane.Options{Report: or(report), Attest: or(attest)})
}

// Mcp talks to the server with two clients, one of them an official SDK.
func (Web) Mcp(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebMCP, lane.Options{Report: or(report), Attest: or(attest)})
}

// Offline lets the product do its whole job where every socket call fails.
func (Web) Offline(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebOffline, lane.Options{Report: or(report), Attest: or(attest)})
}

// Qlog compares two traces of the aioquic experiment, which the caller supplies, with what is known of them.
func (Web) Qlog(
	ctx context.Context,
	control string, // the origin's trace of the run without loss
	loss string, // the origin's trace of the run with a lost packet
	report string, // path of the report, which must not exist
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebQlog, lane.Options{
		Report: report, Attest: or(attest), Supplied: map[string]string{"control": control, "loss": loss},
	})
}

// Aioquic records the two traces in a container first, and then compares as verify:web:qlog does.
func (Web) Aioquic(
	ctx context.Context,
	report string, // path of the report, which must not exist
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebAioquic, lane.Options{Report: report, Attest: or(attest)})
}
