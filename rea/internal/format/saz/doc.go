// Package saz reads Fiddler's session archives (Session Archive Zip, .saz): a ZIP
// archive in whose folder raw/ each session has a request, a response, XML
// metadata and, rarely, WebSocket and gRPC messages as members of one stem
// (https://www.telerik.com/fiddler/fiddler-everywhere/documentation/knowledge-base/fiddler-archives).
//
// The archive is read twice: archive/zip decodes directory and members, and a
// reading of our own holds against it what that library lets pass, by the ZIP
// specification (PKWARE APPNOTE 6.3.10): one end of the directory and nothing
// behind it, local headers that repeat the directory, members that share no byte,
// sizes and checksums of all that is read, and names that mean the same member to
// every reader. Where the two readings differ, there is no result.
//
// It promises sessions in the order of the directory, octets as they are stored,
// headers with their duplicates in order, metadata as a node tree, and an
// inventory of every member. What is inflated is counted while it is inflated,
// over all members together, whatever their headers declare; one session is held
// at a time.
//
// It never dechunks or decompresses a body, never reads a member that belongs to
// no session, never resolves an entity, never follows a path and never takes the
// archive's word for the product that made it.
package saz
