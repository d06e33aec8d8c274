package record

import (
	"context"
	"math"
	"net/url"
	"slices"
	"sync"
	"time"

	"blotter/feed"
	"blotter/model"
	"blotter/model/book"
)

// Player is a feed of a recording, in place of that of a service. To go back, and for subscriptions that come later, it
// plays the recording again from its start, at once up to where it was. Its methods may be called by any goroutine, but
// only one at a time may wait in Next.
type Player struct {
	path   string
	config feed.Config
	header Header
	ctx    context.Context
	stop   context.CancelFunc
	tasks  sync.WaitGroup

	mu      sync.Mutex
	watched []model.Subscription
	current *playback
	changed chan struct{} // closed and replaced if current changes
	problem error
	scope   model.Scope // of the margin levels
}

// playback is a replay and the feed that reads it.
type playback struct {
	*Replay
	feed   *feed.Feed
	joined *joined // nil if one subscription was recorded
}

// part returns the part of a delta that belongs to the watched subscriptions.
func (p *playback) part(delta book.Delta, watched []model.Subscription) book.Delta {
	if p.joined == nil {
		return narrowed(delta, watched)
	}
	return p.joined.part(delta, watched)
}

func (p *playback) close() {
	p.feed.Close()
	p.Replay.Close()
}

// never is longer than any recording.
const never = 1000 * 24 * time.Hour

// NewPlayer opens a recording. It plays from the first Watch on. It does not use those parts of the configuration
// that are about requests, time limits and delays: these are in the recording.
func NewPlayer(path string, config feed.Config) (*Player, error) {
	reader, err := openReader(path)
	if err != nil {
		return nil, err
	}
	reader.close()
	p := &Player{path: path, config: config, header: reader.header, changed: make(chan struct{})}
	p.config.BaseURLs = p.header.Addresses
	p.config.Header, p.config.Token, p.config.TLS, p.config.Dial = nil, nil, nil, nil
	t := &p.config.Times
	// The recording decides when a response comes.
	t.FirstBackoff, t.MaxBackoff, t.RefusedRetry, t.HealthyAfter = 1, 1, 1, time.Millisecond
	t.SnapshotSilence, t.AuditEvery = never, -1
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.current, err = p.open()
	return p, err
}

// open opens the recording, with a feed.
func (p *Player) open() (*playback, error) {
	replay, err := Open(p.path)
	if err != nil {
		return nil, err
	}
	config := p.config
	config.Transport, config.Clock = replay.Transport, replay
	source, err := feed.New(config)
	if err != nil {
		replay.reader.close()
		return nil, err
	}
	playing := &playback{Replay: replay, feed: source}
	if len(p.recorded()) > 1 {
		playing.joined = newJoined(p.config.Limits.Rows)
	}
	return playing, nil
}

// Header returns the header of the recording.
func (p *Player) Header() Header { return p.header }

// Close ends the replay.
func (p *Player) Close() {
	p.stop()
	p.tasks.Wait()
	p.playing().close()
}

func (p *Player) playing() *playback {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current
}

// Watch sets the subscriptions that are watched from now on. It does not wait. If they are not those that were
// recorded, the recording must be of all positions, or, for parties, of markets: only their positions are shown.
func (p *Player) Watch(subscriptions []model.Subscription) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.watched
	p.watched = slices.Clone(subscriptions)
	added := slices.ContainsFunc(subscriptions, func(s model.Subscription) bool { return !slices.Contains(before, s) })
	if added && before != nil {
		p.restart(p.current.Now())
		return
	}
	p.current.feed.Watch(p.played())
	if before == nil {
		p.start(p.current)
	}
}

// start begins to play. If the recording has an audit, the feed begins one too.
func (p *Player) start(playback *playback) {
	playback.Start(func(query string) {
		values, _ := url.ParseQuery(query)
		key := model.Key{Party: model.MakeID(values.Get("partyId")), Market: model.MakeID(values.Get("marketId"))}
		p.mu.Lock()
		played := p.played()
		p.mu.Unlock()
		for _, s := range played {
			if s.Key == key {
				playback.feed.Audit(s)
			}
		}
	})
}

// restart plays the recording again from its start, at once up to a time. The lock is held.
func (p *Player) restart(to time.Time) {
	if p.ctx.Err() != nil {
		return
	}
	before := p.current
	p.tasks.Go(func() {
		next, err := p.open()
		p.mu.Lock()
		defer p.mu.Unlock()
		if err != nil || p.current != before {
			p.problem = err
			if next != nil {
				next.close()
			}
			return
		}
		speed, paused, ended := before.State()
		next.SetSpeed(speed)
		next.feed.Watch(p.played())
		next.feed.WatchMargins(p.scope)
		p.start(next)
		next.Skip(to)
		next.Pause(paused && !ended)
		p.current = next
		close(p.changed)
		p.changed = make(chan struct{})
		p.tasks.Go(before.close)
	})
}

// Next waits for new data and takes it. See feed.Feed.Next.
func (p *Player) Next(ctx context.Context, linksOnly bool) (book.Delta, error) {
	for {
		p.mu.Lock()
		current, changed, watched, isNarrowed := p.current, p.changed, p.watched, p.isPartOfRecorded(p.watched)
		p.mu.Unlock()
		if delta, ok := current.takeCorrected(linksOnly); ok {
			return delta, nil
		}
		delta, err := current.feed.Next(ctx, linksOnly)
		if isNarrowed {
			delta = current.part(delta, watched)
		}
		if err == nil || ctx.Err() != nil || p.ctx.Err() != nil {
			return delta, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return book.Delta{}, ctx.Err()
		case <-p.ctx.Done():
			return book.Delta{}, p.ctx.Err()
		}
	}
}

// Page returns a page of margin levels as it was recorded last. See feed.Feed.Page.
func (p *Player) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	return p.playing().feed.Page(ctx, request)
}

// WatchMargins begins to read the margin levels of a scope again. It does not wait.
func (p *Player) WatchMargins(scope model.Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scope = scope
	p.current.feed.WatchMargins(scope)
}

// HurryMargins does nothing: margin levels come as they were recorded.
func (p *Player) HurryMargins([]model.ID) {}

// NextMargins waits for the next page of margin levels, as it was recorded last. See feed.Feed.NextMargins.
func (p *Player) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	for {
		p.mu.Lock()
		current, changed := p.current, p.changed
		p.mu.Unlock()
		read, err := current.feed.NextMargins(ctx)
		if read.Page != nil {
			read.Page.ReadAt = current.Now()
		}
		if err == nil || ctx.Err() != nil || p.ctx.Err() != nil {
			return read, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return book.MarginsRead{}, ctx.Err()
		case <-p.ctx.Done():
			return book.MarginsRead{}, p.ctx.Err()
		}
	}
}

// Walk reads all pages of margin levels as they were recorded last. See feed.Feed.Walk.
func (p *Player) Walk(ctx context.Context, request model.PageRequest, limit int) ([]model.MarginLevels, string, error) {
	return p.playing().feed.Walk(ctx, request, limit)
}

// RequestAudit does nothing: audits are those of the recording.
func (p *Player) RequestAudit(model.Subscription) {}

// Resync does nothing: there is nothing else to read.
func (p *Player) Resync() {}

// Now returns the time of the replay.
func (p *Player) Now() time.Time { return p.playing().Now() }

// Pause stops the clock of the replay, or starts it again.
func (p *Player) Pause(paused bool) { p.playing().Pause(paused) }

// Step plays up to the next change, and stops the clock there.
func (p *Player) Step() { p.playing().Step() }

// SetSpeed sets how much faster than it was recorded the recording is played, from MinSpeed to MaxSpeed.
func (p *Player) SetSpeed(speed float64) { p.playing().SetSpeed(speed) }

// Jump goes to a time, forward or back. It does not wait.
func (p *Player) Jump(to time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if to.Before(p.current.Now()) {
		p.restart(to)
		return
	}
	p.current.Skip(to)
}

// State returns the speed, whether the clock is stopped, whether all is played, and what is wrong with the recording:
// a *DamagedError once it is played up to where it is damaged.
func (p *Player) State() (speed float64, paused, ended bool, problem error) {
	p.mu.Lock()
	current, problem := p.current, p.problem
	p.mu.Unlock()
	speed, paused, ended = current.State()
	if problem == nil {
		problem = current.Damaged()
	}
	return speed, paused, ended, problem
}

// quiet is how long nothing new must come at the end of a recording before Finish returns.
const quiet = 300 * time.Millisecond

// Finish plays all of the recording at once, and calls take with all that comes. The error is a *DamagedError
// where the recording is damaged: it was played up to there.
func (p *Player) Finish(ctx context.Context, take func(book.Delta)) error {
	current := p.playing()
	current.Skip(p.header.Start.Add(math.MaxInt64))
	for {
		_, _, ended := current.State()
		within, cancel := context.WithTimeout(ctx, quiet)
		delta, err := p.Next(within, false)
		waited := within.Err() != nil
		cancel()
		switch {
		case err == nil:
			take(delta)
		case ctx.Err() != nil:
			return ctx.Err()
		case !waited:
			return err
		case ended:
			return current.Damaged()
		}
	}
}
