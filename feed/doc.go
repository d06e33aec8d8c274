// Package feed brings the positions and margin levels of a trading data service to the program. It owns the goroutines
// and requests for that, and does not depend on the terminal. The picture of the flow is at the top of feed.go.
//
// # The interface
//
// The service has two operations for this. Both are GET requests with the header Accept: application/json. All
// parameters are optional.
//
//	{base}/api/v2/stream/positions   a stream of positions: partyId, marketId
//	{base}/api/v2/margin/levels      a page of margin levels: partyId, marketId, pagination.first, pagination.after,
//	                                 pagination.last, pagination.before, pagination.newestFirst (default true)
//
// The stream is a sequence of messages. The first ones are the pages of the snapshot: the current positions
// (result.snapshot: positions, lastPage). The later ones are updates: positions that have changed (result.updates:
// positions). A message may be an error instead: code, message, details.
//
// A page of margin levels has edges, each with a record (node) and its cursor, and pageInfo (hasNextPage,
// hasPreviousPage, startCursor, endCursor). The response to a refused request is an error.
//
// # How a real service behaves
//
// This is how the public service of this interface behaves if the interface does not define it. blotter does not
// depend on it: if two forms are possible it reads both, and it makes no use of what another service may do
// differently.
//
// The form of the stream (package wire reads it):
//
//   - Messages are JSON values, one after the other. Line ends mean nothing: the last message has none, and a chunk can
//     end anywhere.
//   - Zeros are left out: no openVolume is a volume of 0, no lastPage is false, no positions is an empty list. So a
//     position in an update replaces the whole row. If only its fields were merged into the old row, a position that is
//     closed would stay open.
//   - positionStatus is a number; other writers of JSON send its name. 64-bit integers are strings and use their full
//     range. The other amounts are strings of integers of any length. Times are nanoseconds since the Unix epoch.
//   - Positions have more fields than the interface names. They are skipped.
//   - An error in the stream is wrapped in {"error": …}; an error about the query is not. The useful words are in
//     details[].message and details[].inner.
//   - gzip is sent on request. Go's client requests it unless this is turned off.
//
// The behaviour of the stream (package follow):
//
//   - Silence does not mean that there are no positions. The response to a filter by party, or by market, comes at
//     once: if there are no positions, it is an empty last page. The response to a filter by party and market
//     together does not come at all while there is no such position, which looks like a service that is slow or hangs.
//     So streams are requested by party, or by market if no parties are chosen, and the rest of the scope narrows
//     the rows here.
//   - A request can name one party and one market. A second value is refused. An empty parameter is not the same as
//     none. A party or market in upper case gets the right snapshot and never an update.
//   - The snapshot is read first, and the updates begin later. Changes in between are lost until the same position
//     changes again, and there are no sequence numbers that show it. Only a second snapshot can find the difference:
//     this is what audits are for.
//   - A position is never deleted: one that is closed stays in the list with a volume of 0. A snapshot without it comes
//     from a node that is behind, from another network, or from a service of another kind.
//   - Several nodes can stand behind one address, and some of them can be behind the others, by some blocks or by
//     hours. Each request may reach another one. So what a page says about its node says nothing about the node of a
//     stream, and a reconnect or an audit may reach a node that is older than what was shown. A stream is judged by
//     what its own node has sent, and by audits. The second snapshot of a node that is behind is no audit. A node that
//     hangs keeps its connections open, accepts others, and sends nothing.
//   - A snapshot can be a block older than an update that was sent before it. So no row goes back: of each row the
//     newest state by its own time stands. If a snapshot or an audit has an older state of a row, or lacks it, the row
//     is in doubt. model/book/standing.go decides which state stands, and follow/standing.go what is believed.
//   - A stream can stop sending the changes of one market and go on for the others. Only a second snapshot shows that.
//   - There is no heartbeat. A stream on which nothing changes never sends anything. Only another request can show
//     whether the service still responds, and only a second snapshot whether the rows are still right: another request
//     may reach another node.
//   - A client that reads too slowly is dropped, and one that reads fast is dropped now and then too: after status 200,
//     an error without a line end, and a clean end of the body.
//   - All clients of one address together can have 250 streams. Further ones are refused with 429.
//
// Margin levels (package margins, and package endpoint for the limits):
//
//   - Zeros are written out. Statuses and other enumerations are names.
//   - pagination.first and pagination.last can be 1 to 5000; without them a page has 1000 records. An empty cursor is
//     refused. last with before is the page before the cursor, in the same order as the pages forward.
//     newestFirst must be in each request: with another value, the same cursor leads the other way.
//   - A page beyond either end of the list is empty and has empty cursors, but pageInfo has a page on the
//     other side.
//   - Records move: one that changes goes to the newest end. A client that reads newest first misses a record that
//     moves before it is reached; a client that reads oldest first gets it twice. If the record of a cursor has
//     moved before the cursor is used, the record after it is left out without an error.
//   - A cursor that cannot be read is refused with 400, one that means nothing with 500.
//   - All clients of one address together can send 20 requests a second, and 100 in a burst. Further ones are refused
//     with 429, and clients that do not stop then with 403 and Ratelimit-Retry-After, in seconds. Open streams are not
//     affected.
//   - X-Block-Height and X-Block-Timestamp are the number and the time of the last block of the node that sent the
//     response. Responses to streams have them only if a gateway adds them.
package feed
