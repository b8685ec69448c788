// Package mcpclient talks to the product's MCP server over its standard streams.
//
// It is a client of the workbench's own, a few requests of JSON-RPC written from
// the protocol's text, and shares no code with the server: it promises the bytes
// as the server wrote them, one answer to each question, and that a server which
// was closed is gone. It will never retry, interpret a result, or repair one.
package mcpclient
