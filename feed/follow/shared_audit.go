package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// Two audits a second are slow for sixty subscriptions: if an audit reaches a node that is behind, the next one of the
// same subscription comes half a minute later. So subscriptions share audits: one second stream, of all positions of
// the service, in place of one for each. It reads the rows, and each Follower compares its own. It is not used if the
// service has many more rows than are followed, and its stream does not take the place of another one.
const (
	sharedFrom   = 4                      // Followers with an open stream at one address
	sharedEvery  = 5 * time.Second        // at most; twice as often while rows are in doubt, and more seldom if there are many
	sharedEach   = 60                     // subscriptions are audited in sharedEvery, if they have all rows of the service
	sharedAgain  = time.Second / 2        // after one that failed, or whose node was behind; later if there are many positions
	joinAgain    = 600 * time.Millisecond // how long each Follower waits then: longer, so that it does not begin one of its own
	joinWithin   = time.Second            // how long it waits for the Followers
	notSharedFor = 10 * time.Minute       // after one that was refused, or had too many rows

	sharedASecond  = 3_000           // positions that they read, on average, if the service has many
	sharedRows     = 10_000          // positions that the service may have, or twice as many as those that join have
	sharedFailures = 3               // in a row, after which it is not tried for some time, if none has worked lately
	failedFor      = time.Minute     // how long it is not tried then
	workedFor      = 5 * time.Minute // how long that is lately
	sharedLongest  = 8 * time.Second // after many that failed, if one has worked lately
	wrongFor       = time.Minute     // how long audits come more often after one that has reached a node that is wrong
)

// errNotShared is the error of a shared audit that is of no use: each Follower begins its own.
var errNotShared = errors.New("the audit cannot be shared")

// errFewJoined is the error of a shared audit for which too few Followers were ready.
var errFewJoined = fmt.Errorf("%w: few subscriptions are ready for it", errNotShared)

// errTooMany is the error of a shared audit if the service has many more positions than those that joined.
var errTooMany = fmt.Errorf("%w: the service has many more positions", errNotShared)

// sharedAudit is a second stream, of all positions of a service, for the audits of several Followers.
type sharedAudit struct {
	Config
	address      string
	beginsWithin time.Duration // its first message with content must come in this time
	followers    int           // of its address
	expected     int           // positions, because the last one that has worked has read them; 0 if there was none

	mu       sync.Mutex
	asked    map[*audits]bool               // those that have not answered
	answered chan struct{}                  // closed when all have answered
	reading  bool                           // nobody can join any longer
	joined   map[model.Key][]model.Position // the subscriptions of those that joined, at the end with their rows
	followed int                            // the rows that these had before

	shown  int64      // the latest time that their streams and audits had shown
	count  int        // positions that were read
	newest int64      // the latest time of them
	rows   *book.Rows // those of joined

	// When ended is closed, the following do not change any longer.
	ended    chan struct{}
	err      error
	openedAt time.Time
	node     endpoint.Node
	quiet    time.Duration // between this one and the next one while the streams are silent
}

func newSharedAudit(by *audits, at *sharing) *sharedAudit {
	return &sharedAudit{
		Config: by.Config, address: by.link.Address, followers: len(at.followers), expected: at.count,
		beginsWithin: min(at.beginWithin(), by.Times.SnapshotSilence),
		asked:        map[*audits]bool{by: true}, answered: make(chan struct{}),
		joined: make(map[model.Key][]model.Position), rows: book.NewRows(), ended: make(chan struct{}),
	}
}

// invite asks a Follower to join, unless it has not read the invitation before.
func (a *sharedAudit) invite(of *audits) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case of.invited <- a:
		a.asked[of] = true
	default:
	}
}

// join adds the audit of a Follower, whose sink has taken its first page. It reports false if it is too late.
func (a *sharedAudit) join(of *audits, audit *standbySnapshot) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reading {
		return false
	}
	a.joined[audit.subscription.Key] = nil
	a.followed += audit.rows
	a.shown = max(a.shown, audit.shown)
	a.answer(of)
	return true
}

// decline records that a Follower does not join.
func (a *sharedAudit) decline(of *audits) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answer(of)
}

// answer records that a Follower has answered. The lock is held.
func (a *sharedAudit) answer(of *audits) {
	if !a.asked[of] {
		return
	}
	if delete(a.asked, of); len(a.asked) == 0 {
		close(a.answered)
	}
}

func (a *sharedAudit) isReading() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reading
}

// every returns how long the next shared audit waits after this one, so that the service does not send many more
// positions than for separate audits.
func (a *sharedAudit) every() time.Duration {
	followed := max(a.followed, a.rows.Len(), 1)
	every := sharedEvery * time.Duration(len(a.joined)*a.count/followed) / sharedEach
	if a.count <= max(quietRows, 2*followed) {
		every = min(every, sharedEvery*time.Duration(a.count)/quietRows)
	}
	return max(every, sharedEvery, time.Duration(a.count)*time.Second/sharedASecond)
}

// quietAgain returns how long after this one a silent stream is audited again; 0 if that is as for an audit of one
// stream: there is none, or the service has many positions.
func (a *sharedAudit) quietAgain() time.Duration {
	if a == nil || a.count > sharedSmall {
		return 0
	}
	return a.quiet
}

// isSmall reports whether it is asked again at once if its node is behind; false if there is none.
func (a *sharedAudit) isSmall() bool { return a != nil && a.count <= sharedRows }

// most returns how many positions the service may have.
func (a *sharedAudit) most() int { return min(max(sharedRows, 2*a.followed), a.Rows) }

// run waits for the Followers and reads the snapshot.
func (a *sharedAudit) run(ctx context.Context) error {
	if err := endpoint.Pause(ctx, time.Now().Add(joinWithin), a.answered); err != nil {
		return err
	}
	a.mu.Lock()
	a.reading = true
	a.mu.Unlock()
	if n := len(a.joined); n < sharedFrom || n < a.followers && a.expected > a.most() {
		return errFewJoined
	}
	lease, err := a.Pool.TryWhole(a.address)
	if err != nil {
		return err
	}
	open, err := openSnapshot(ctx, lease, model.Key{}, limits{a.beginsWithin, a.Times.SnapshotSilence}, a.take)
	switch {
	case errors.Is(err, errNotShared): // too many: no failure of the service
		return err
	case endpoint.OutcomeOf(err).IsRefusal():
		return fmt.Errorf("%w: %w", errNotShared, err)
	case err != nil:
		return fmt.Errorf("the second stream, of all positions: %w", err)
	}
	a.openedAt, a.node = open.openedAt, open.Node()
	open.close()
	a.finish()
	return nil
}

// take takes the rows of a message. Updates count in place of rows of the snapshot that are older.
func (a *sharedAudit) take(_ *endpoint.Stream, m *wire.Message) error {
	if a.count += len(m.Page); a.count > a.most() {
		return fmt.Errorf("%w, more than %d: %w", errTooMany, a.most(), context.Canceled)
	}
	notAfter := a.notAfter(a.address)
	a.News.addPage(m.Page, notAfter)
	a.News.add(m.Updates, notAfter)
	for _, rows := range [][]model.Position{m.Page, m.Updates} {
		for i := range rows {
			if at, usable := rows[i].ChangedAt(notAfter); usable {
				a.newest = max(a.newest, at)
			}
			if _, isJoined := a.keyOf(&rows[i]); isJoined {
				a.rows.PutUnlessOlder(&rows[i], notAfter)
			}
		}
	}
	return nil
}

// keyOf returns the key of the subscription that a position belongs to.
func (a *sharedAudit) keyOf(p *model.Position) (key model.Key, isJoined bool) {
	for _, key := range [...]model.Key{{Party: p.Party}, {Market: p.Market}} {
		if _, isJoined := a.joined[key]; isJoined {
			return key, true
		}
	}
	return key, false
}

// finish gives each subscription its rows. If the snapshot has nothing as new as what was shown before, its node is
// behind.
func (a *sharedAudit) finish() {
	for p := range a.rows.All {
		key, _ := a.keyOf(&p)
		a.joined[key] = append(a.joined[key], p)
	}
	behind := time.Duration(a.shown - a.newest)
	if a.newest > 0 && a.shown <= a.notAfter(a.address) && behind > commitDelay {
		a.node.Lag = max(a.node.Lag, behind)
	}
}

// join joins a shared audit to which the Follower was invited, unless another stream may have to take the place of the
// open one.
func (a *audits) join(ctx context.Context, shared *sharedAudit) {
	waits := a.turn != nil
	isOther := shared.address != a.link.Address // the stream was opened again since
	if isOther || a.link.Phase != model.Live || a.link.Auditing || a.schedule.every < 0 || needsStream(&a.link) && waits {
		shared.decline(a)
		return
	}
	if waits {
		a.cancel()
		a.turn = nil
	}
	a.alarms.audit = time.Time{}
	a.start(ctx, shared)
}

// needsStream reports whether the standby stream of an audit may take the place of the open one.
func needsStream(link *model.Link) bool { return canReplace(link.Lag) || link.Partial }

// log writes a line about the shared audit, which has ended.
func (a *sharedAudit) log() {
	level, line := slog.LevelDebug, "has ended"
	switch outcome := endpoint.OutcomeOf(a.err); {
	case outcome == endpoint.Postponed, outcome == endpoint.Cancelled, errors.Is(a.err, errNotShared):
		line = a.err.Error()
	case a.err != nil:
		level, line = slog.LevelWarn, endpoint.Describe(a.err)
	case a.node.Lag > 0:
		level, line = slog.LevelWarn, "its node is behind what was shown, so it is no audit"
	}
	a.Logger.Log(context.Background(), level, "audit of several positions streams: "+line, "address", a.address, "streams", len(a.joined))
}
