package book

import "blotter/model"

// Delta is what the feed sends to the screen: the state of the subscriptions, and the data that belongs to that state.
// Its parts must be applied in the order of the fields.
//
// The receiver owns it. Only the positions in Updates and Audits must not be used any more when the next Delta is
// requested, because their memory is used again.
type Delta struct {
	Links     []model.Link // every subscription, in the order of the scope; nil if nothing changed
	Snapshots []Snapshot
	Updates   []Updates
	Audits    []AuditPage
	Margins   []MarginsRead // of a recording: they come with the rows of their time
	Doubts    []Doubts      `json:",omitempty"` // of the subscriptions for which they have changed
	More      bool          // the next Delta is ready already
	// Restart is true if the snapshots replace everything that was shown before, also the margin records: the player of
	// a recording has jumped.
	Restart bool
	// Missed is how many changes of size, status or loss socialisation were dropped, because too many waited for the
	// screen. They have no event.
	Missed int
}

// Snapshot is all positions of one subscription: its last page has come. It replaces the table of the subscription, but
// for the rows that stand: see Book.Settle.
type Snapshot struct {
	model.Subscription
	Rows *Rows
	AsIs bool `json:",omitempty"` // the rows are compared with nothing: they are a copy of a book
	// Believed are the keys of rows that do not stand although the snapshot has older states of them, or lacks them.
	Believed []model.Key `json:",omitempty"`
	// Superseded are the updates that had not been taken when the snapshot came, in order. They show what happened
	// before: see Book.SnapshotChanges.
	Superseded []model.Position
	NotAfter   int64 // as in Updates
	// IsPartial is true in a recording, if the snapshot had no last page then. Sent are the rows that its stream had
	// sent: see Table.IsUnsent.
	IsPartial bool
	Sent      model.RowSet
	Told      int64 `json:",omitempty"` // as in Updates; 0 if the times of the rows say it
	// Followed are the streams that were followed in a recording, if they had not all positions of the subscription.
	Followed []model.Key `json:",omitempty"`

	asLeft map[model.Key]struct{} // rows that come again as they were left: Settle finds them
}

// Updates are positions of one subscription that have changed. Each replaces its whole row.
type Updates struct {
	model.Subscription
	Positions []model.Position
	// NotAfter is in nanoseconds since the Unix epoch. A later UpdatedAt is ahead of the service's clock, and is
	// ignored.
	NotAfter int64
	// LatePage is true for positions of a snapshot page that came after the rows of the stream were shown. A position
	// replaces its row, except if the row has a later time, or if the stream has updated it and the times do not
	// decide.
	LatePage bool
	// BeginsPartial is true before the first positions of a stream whose snapshot has no last page so far: rows of the
	// service may be missing. The rows of earlier streams stay.
	BeginsPartial bool
	// BeginsStream is true before the first updates of another stream: the rows of earlier streams stay.
	BeginsStream bool `json:",omitempty"`
	AsIs         bool `json:",omitempty"` // all are taken: a book has taken them before
	// Told is up to which time of the service the stream has told something, in nanoseconds since the Unix epoch; 0 if
	// the times of the positions say it. It is set where some of them were left out.
	Told int64 `json:",omitempty"`

	left telling
}

// MarginsRead is what a source has read of the margin levels of a scope.
type MarginsRead struct {
	Page *model.Page // nil if the request has failed
	Err  error       // why it has failed, or why records may be missing
	// Ended is true if everything that has changed was read, up to this page, and Whole if all records were.
	Ended, Whole bool
}

// AuditPage is a page of an audit: a part of the snapshot that the standby stream of a subscription has sent.
type AuditPage struct {
	model.Subscription
	Positions []model.Position
	NotAfter  int64 // as in Updates
	First     bool  // this is the first page of an audit
	Last      bool  // this is the last page of an audit

	// Corrected is true for what an earlier audit has corrected, as it was recorded: the positions replace their rows.
	// Nothing is compared.
	Corrected bool
	// Removed are the keys of rows that the audit lacks and that are removed, because they are believed to be gone.
	Removed []model.Key
	// Believed are the keys, in order, of positions of the page that count although they are older than the rows.
	// IsBelieved is true if all do, and if all rows are removed that the audit lacks.
	Believed   []model.Key `json:",omitempty"`
	IsBelieved bool        `json:",omitempty"`
	Told       int64       `json:",omitempty"` // of the last page, as in Updates

	left telling
}

// Doubts are the rows of a subscription that are marked, because they have been in doubt for some time: see
// standing.go. They are all of them: the earlier ones are no longer marked.
type Doubts struct {
	model.Subscription
	Keys []model.Key
}

// telling is what is left of Book.tell, for updates or for a page of an audit.
type telling struct {
	newest int64 // the newest usable time of what was applied
	hasDue bool  // due was found
	due    []uint32
}
