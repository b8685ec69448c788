// Package schema says whether a HAR has the fields that the HAR 1.2 schema asks
// for, and what is wrong where it has not.
//
// Its source is data: the files of har-schema 2.0.0, unchanged, in
// har-schema-2.0.0. They are compiled at first use into a small interpreter that
// gives them the meaning that ajv 8.20.0 with ajv-formats 3.0.1 gives them (strict
// mode off, formats in full mode): the same verdict, and the same errors in the
// same order as ajv's allErrors mode lists them. Compiling fails loudly on any
// keyword, format or pattern that the interpreter doesn't know.
//
// There are two tiers. One pass over an object's members decides whether a value is
// valid; it allocates nothing. Only a value that isn't valid is walked again, in the
// order of the schema, to find out what to report.
//
// The formats and the pattern are matched by hand, byte by byte. Where JavaScript's
// expressions and Go's differ (case folding, white space, digits), these follow
// JavaScript's. A number that a double can't hold without loss counts as null.
//
// It never repairs a value, and an error never holds anything of the capture but
// the place. It knows neither log.version nor any producer's habits: those are the
// caller's business.
package schema
