// Package record records what passes from a feed to the screen, and plays it again in place of the feed.
//
//	feed ── Tap ── the screen                                              Player ── the screen
//	         │ queue: bounded, copied                                           ▲
//	         ▼ moments                                                          │ entries
//	         ├─ Recorder: state.take ─ entries ─ blocks in files ─ state.load ──┤
//	         └─ Memory: blocks in memory ─ state.take ─ entries ────────────────┘
//
// A tape is a recording that is read, from files or from memory: a cursor goes from a whole state over the blocks.
//
// What is recorded is what the screen got, with its consequences: which rows an update, a snapshot or an audit has
// changed, what has changed of the state of each stream, the margin records that were read, and the events. So a
// Player decides nothing itself: what it shows at a time is the last whole state before that time and all
// entries since, however that time was reached. The events are found once, while a recording is made: opening one reads
// all of them.
//
// A recording is lines of JSON: a header, then blocks. Each block has a head with the time of its first line, the
// length and the checksum of its lines. In a compressed file each is compressed by itself; zstdcat and zcat show all
// of them.
//
//	{"recording":2,"version":"v1.2.0","start":"2026-03-02T14:02:07.1Z","service":"mainnet","parties":["a1"]}
//	{"block":0,"at":1500,"bytes":300,"crc32c":"7e52f6ed"}
//	{"at":1500,"watched":[{"partyId":"a1","epoch":1}]}
//	{"at":81500,"link":{"partyId":"a1","epoch":1,"fields":{"phase":2,"messages":1}}}
//	{"at":81500,"snapshot":{"partyId":"a1","epoch":1,"lastPage":true},"positions":[{"partyId":"a1","marketId":"b1"}]}
//	{"at":99900,"ends":"closed"}
//
// The field at is nanoseconds since the start, of the moment of receipt. Positions and margin records have the names of
// the interface, and numbers are the texts that came. When about as much has changed as the whole state has, that state
// is in the next blocks: so a file has at most about twice its changes, and to go to a time reads no more than a state
// and the same number of changes.
//
// A recording has no address, no header and no body of a request. Of the texts of a service, secrets are hidden in the
// words of links; identifiers and numbers are as they came.
package record
