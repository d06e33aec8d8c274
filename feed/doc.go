// Package feed is how the positions and margin levels of a trading data service become known: HTTP, streams,
// retries. It owns its goroutines and knows no terminal. The picture of the flow is at the top of feed.go.
//
// # The interface
//
// The service is asked by two operations, both GET, with the header Accept: application/json.
//
//	{base}/api/v2/stream/positions   partyId, marketId (both optional): positions, live
//	{base}/api/v2/margin/levels      partyId, marketId, pagination.first, .after, .last, .before,
//	                                 .newestFirst (all optional; newestFirst defaults to true)
//
// The stream is a sequence of messages. The first ones carry the current positions in pages (result.snapshot:
// positions, lastPage), those that follow carry positions that changed (result.updates: positions). A message
// may carry an error instead: code, message, details. A page of margin levels is marginLevels: edges (each a
// node and its cursor) and pageInfo (hasNextPage, hasPreviousPage, startCursor, endCursor). Whatever is
// refused is answered with an error object.
//
// # How a real service behaves
//
// The public service of this interface surprises a naive client in these ways. None of them is relied on: where
// two forms are possible, both are read.
//
// The stream:
//
//   - Messages are JSON values one after the other. Line ends, where there are any, mean nothing: the last
//     message has none, and chunks end anywhere.
//   - Zeros are left out: no openVolume is a volume of 0, no lastPage is false, no positions is none. So a
//     position in an update replaces the row whole; merging it into the old row would keep what was closed open.
//   - Statuses are numbers on the stream, elsewhere names. 64-bit integers are strings, over their full range;
//     the other amounts are strings of integers of any length. Times are nanoseconds since the Unix epoch.
//   - Unknown keys are many and are skipped.
//   - A party or a market without positions is answered at once, with an empty last page. A party and a market
//     together are answered with nothing, not even a status line, until there is a position; it then
//     comes as an update, without a snapshot. So silence there means that there is none, and silence anywhere
//     else means nothing.
//   - At most one party and one market can be asked for. An empty parameter is not the same as none. An
//     identifier in upper case gets the right snapshot and never an update.
//   - The snapshot is read first and the updates begin afterwards. What changes in between is lost, and
//     there are no sequence numbers to tell by: only a second look can find it (audit.go).
//   - A reader that is too slow is dropped: status 200 long sent, an error object without a line end, a clean
//     end. A fast reader is dropped now and then too.
//   - There is no heartbeat: an idle stream is silent for ever (verifier.go).
//   - An error of the stream is wrapped in {"error": …}; one of reading the query is not. The useful words are
//     in details[].message and details[].inner.
//   - gzip is sent where it is asked for, which Go's client does by itself unless told otherwise.
//
// Margin levels:
//
//   - Everything is written out, zeros too.
//   - An empty cursor is an error; so are first 0 and first beyond 5000. last with before gives the page before the
//     cursor, in the same order as walking forward. newestFirst must be said again on every page.
//   - At the edges pageInfo tells less than it seems: an empty page has empty cursors and still says that there
//     is more on the other side.
//   - Rows move: a margin level that changes goes to the newest end. Newest first, a row that moves before it is
//     reached is missed; oldest first, it comes twice. Where the very row that a cursor names has moved,
//     the row after it is left out, silently (walk.go).
//   - A cursor that cannot be read is a 400, one that means nothing is a 500.
//   - Twenty requests a second are taken, a hundred in a burst; then 429, and for who goes on, 403 with
//     Ratelimit-Retry-After, in seconds. Open streams are not touched by that (limiter.go).
//   - X-Block-Height and X-Block-Timestamp are the only word of a node about how current it is itself.
package feed
