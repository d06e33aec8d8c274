// Package wire turns the bytes of the service into values of the model: the messages of a positions stream, pages of
// margin levels and error bodies. It uses no HTTP and no clock, and does not hide tokens: a caller that shows one of
// its errors hides them first.
//
// A positions stream is a sequence of JSON values, with or without white space between them. The first ones are the
// pages of the snapshot (result.snapshot: positions, lastPage). The others are updates (result.updates: positions). A
// message with an error ends the stream. A page of margin levels is one value (marginLevels: edges, pageInfo).
//
// The reader also accepts: numbers as JSON numbers or as texts, the status of a position as a number or as a name, true
// and false as texts, null in the place of anything but a position, fields in any order, unknown fields. An absent
// field is zero, because services leave zeros out. It refuses ambiguous input: bad UTF-8, lone surrogates, a known
// field that comes twice in one object, a value of another kind.
package wire

// The paths of the two operations, below the base address.
const (
	StreamPath = "/api/v2/stream/positions"
	MarginPath = "/api/v2/margin/levels"
)
