// Package har reads HAR 1.2 captures (http://www.softwareishard.com/blog/har-12-spec/).
//
// One pass checks the whole document: encoding, grammar, duplicate members,
// depth. Behind it, each entry is built, judged by the unchanged har-schema
// rules and handed on as soon as it has been passed; whatever the first pass
// finds later takes precedence, so nothing that was handed on counts until Read
// returns nil.
//
// It promises the verdicts of ajv on har-schema 2.0.0, bytes only for canonical
// base64 bodies, and the producer's order. It never repairs, never compares
// declared sizes with real ones, and never decides that an unknown field is a
// secret.
package har
