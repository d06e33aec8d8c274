// Package record writes the responses of a service to a file, and plays such a file again in place of the service.
//
//	endpoint ── Recorder.Transport ── the network        endpoint ── Replay.Transport ── the recording
//	                  │ events                                 ▲              │ events
//	                  ▼                                        └─ Replay: the clock of the feed
//	               FILE, FILE.1, …
//
// A recording is lines of JSON: a header, then one event on each line. Each part of a recording that was continued in
// another file begins with a header of its own.
//
//	{"recording":1,"part":0,"version":"v1.2.0","start":"2026-03-02T14:02:07.1Z","addresses":["https://node.example.com"]}
//	{"at":1500,"event":"opened","request":1,"address":"https://node.example.com","target":"/api/v2/stream/positions?partyId=a1"}
//	{"at":81500,"event":"answered","request":1,"status":200,"header":{"Content-Type":["application/json"]}}
//	{"at":81700,"event":"body","request":1,"text":"{\"result\":{…}}\n"}
//	{"at":98700,"event":"ended","request":1,"error":"connection reset by peer"}
//	{"at":99900,"event":"closed"}
//
// The field at is nanoseconds since start, of the moment in which it came. A body is recorded as it came, to the byte,
// except that tokens are hidden. Headers of requests are not recorded.
package record
