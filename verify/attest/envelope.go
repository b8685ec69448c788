package attest

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-json"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"rea.example/verify/results"
)

// Key is a private key that signs.
type Key struct{ private ed25519.PrivateKey }

// OpenKey reads a private key as `openssl genpkey -algorithm ed25519` writes it.
func OpenKey(path string) (Key, error) {
	der, err := block(path, "PRIVATE KEY")
	if err != nil {
		return Key{}, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	private, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return Key{}, fmt.Errorf("attest: %s holds no ed25519 key", path) // the cause could quote it
	}
	return Key{private}, nil
}

// openPublic reads a public key as `openssl pkey -pubout` writes it.
func openPublic(path string) (ed25519.PublicKey, error) {
	der, err := block(path, "PUBLIC KEY")
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	public, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("attest: %s holds no ed25519 key", path)
	}
	return public, nil
}

// block gives the one PEM block of a file, which must be of the kind.
func block(path, kind string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("attest: %w", err)
	}
	b, rest := pem.Decode(data)
	if b == nil || b.Type != kind || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("attest: %s is not one PEM block %q", path, kind)
	}
	return b.Bytes, nil
}

// signer and verifier are the two ends that the envelope library asks for.
type (
	signer   struct{ Key }
	verifier struct{ public ed25519.PublicKey }
)

func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.private, data), nil
}

func (s signer) KeyID() (string, error) {
	public, _ := s.private.Public().(ed25519.PublicKey)
	return keyID(public)
}

func (v verifier) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(v.public, data, sig) {
		return errors.New("the signature is not of this key")
	}
	return nil
}

func (v verifier) KeyID() (string, error)   { return keyID(v.public) }
func (v verifier) Public() crypto.PublicKey { return v.public }

// keyID is the SHA-256 of the public key in DER: a hint which key to try, no more.
func keyID(public ed25519.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:]), err
}

// seal signs a statement and gives the envelope as one line.
func (k Key) seal(ctx context.Context, s Statement) ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	es, err := dsse.NewEnvelopeSigner(signer{k})
	if err != nil {
		return nil, err
	}
	envelope, err := es.SignPayload(ctx, payloadType, body)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(envelope)
	return append(line, '\n'), err
}

// unseal gives the statement in an envelope that the key signed.
func unseal(ctx context.Context, line []byte, public ed25519.PublicKey) (s Statement, err error) {
	var envelope dsse.Envelope
	if err := json.Unmarshal(line, &envelope); err != nil {
		return s, fmt.Errorf("attest: this is no envelope: %w", err)
	}
	ev, err := dsse.NewEnvelopeVerifier(verifier{public})
	if err != nil {
		return s, err
	}
	_, body, err := ev.VerifyAndDecode(ctx, &envelope)
	if err != nil {
		return s, fmt.Errorf("attest: the key did not sign this: %w", err)
	}
	if envelope.PayloadType != payloadType {
		return s, errors.New("attest: the key signed something else, no statement")
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, fmt.Errorf("attest: what was signed is no statement: %w", err)
	}
	return s, nil
}

// Sign attests a finished report, in a file beside it that must not exist yet, and
// gives the path of that.
func (k Key) Sign(ctx context.Context, reportPath string) (string, error) {
	data, err := os.ReadFile(reportPath)
	if err != nil {
		return "", fmt.Errorf("attest: %w", err)
	}
	s, err := About(filepath.Base(reportPath), data)
	if err != nil {
		return "", err
	}
	line, err := k.seal(ctx, s)
	if err != nil {
		return "", fmt.Errorf("attest: %w", err)
	}
	path := results.Beside(reportPath, results.AttestationExt)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("attest: %w", err)
	}
	_, err = f.Write(line)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("attest: %w", err)
	}
	return path, nil
}

// Check reads the attestation beside a report and gives its statement: the public
// key signed it, and it is the one about that report.
func Check(ctx context.Context, reportPath, keyPath string) (s Statement, err error) {
	public, err := openPublic(keyPath)
	if err != nil {
		return s, err
	}
	line, err := os.ReadFile(results.Beside(reportPath, results.AttestationExt))
	if err != nil {
		return s, fmt.Errorf("attest: %w", err)
	}
	data, err := os.ReadFile(reportPath)
	if err != nil {
		return s, fmt.Errorf("attest: %w", err)
	}
	if s, err = unseal(ctx, line, public); err != nil {
		return s, err
	}
	return s, s.Covers(data)
}
