package event

import (
	"time"

	"blotter/model"
)

// trouble is what is known of a position that is in trouble, or has the status CLOSED_OUT.
type trouble struct {
	story     *Story     // nil if none has begun
	waiting   *Reference // the status is CLOSED_OUT, and the size has not become smaller; nil otherwise
	since     Step       // of waiting
	isSpent   bool       // the status CLOSED_OUT was left from an earlier story
	well      *Step      // since when an open position is neither distressed nor closed out; nil if it is not
	keptUntil time.Time  // how long the row of a flat position is shown, by the clock of the service
}

// isUnderWay reports whether a story has begun and has not ended.
func (t *trouble) isUnderWay() bool {
	return t != nil && t.story != nil && t.story.Outcome == IsUnderWay
}

// KeptFor is how long the row of a position is shown after its story has ended and it is flat.
const KeptFor = time.Minute

// Troubles tells the stories of positions in trouble: it finds which events belong to one. What is under way is in a
// Present, and what has happened in a Log.
type Troubles struct {
	Present *Present
	well    int // how many stories are under way of positions that are well again
}

// isTrouble reports whether a story can begin with a status.
func isTrouble(s model.Status) bool { return s == model.StatusDistressed || s == model.StatusClosedOut }

// Take adds an event to a log, with what it means for the story of its position. Events must come in order.
func (t *Troubles) Take(l *Log, e Event) {
	if e.Alert != nil {
		t.takeAlert(l, e)
		return
	}
	of := t.of(e.Key)
	if of == nil && !isTrouble(e.statuses[0]) && !isTrouble(e.statuses[1]) {
		l.Add(e)
		return
	}
	at, exact := e.At()
	t.endIfWell(l, e.Key, Step{At: at, IsExact: exact, SeenAt: e.SeenAt()})
	was, is := e.Before(), e.After()
	if of = t.of(e.Key); of == nil {
		of = t.add(e.Key)
		if was.IsOpen() {
			t.noteFirst(l, &e, of)
		}
	}
	switch {
	case e.Kinds&Removed != 0:
		t.takeRemoved(l, e, of)
	case e.Kinds&(Opened|Flipped) != 0:
		t.takeReopened(l, e, of)
	case !is.IsOpen() && was.IsOpen():
		t.takeClosed(l, e, of)
	case is.IsOpen():
		t.takeOpen(l, e, of)
	default:
		l.Add(e)
	}
	t.dropEmpty(e.Key)
}

// takeAlert adds the beginning or the end of an alert. The first one that begins during a story belongs to it.
func (t *Troubles) takeAlert(l *Log, e Event) {
	number := l.Add(e)
	if of := t.of(e.Key); e.HasPosition() && e.Alert.Begins && of.isUnderWay() && of.story.Alert == 0 {
		of.story.Alert = number
	}
}

func (t *Troubles) takeRemoved(l *Log, e Event, of *trouble) {
	if of.isUnderWay() {
		e.Story = of.story
		of.story.end(&e, l.Count()+1, Gone)
	}
	l.Add(e)
	t.setWell(of, nil)
	*of = trouble{}
}

// takeReopened takes an event after which a position that was flat is open, or has another side.
func (t *Troubles) takeReopened(l *Log, e Event, of *trouble) {
	isDistressed := e.statuses[1] == model.StatusDistressed
	if of.isUnderWay() {
		e.Story = of.story
		of.story.takeLast(&e)
		of.story.end(&e, l.Count()+1, of.story.outcome(&e))
		l.Add(e)
		e.Kinds, e.Story = TroubleBegan, nil // for a story that begins
	}
	isAdded := e.Kinds == TroubleBegan
	t.setWell(of, nil)
	*of = trouble{isSpent: e.statuses[1] == model.StatusClosedOut}
	if isDistressed {
		t.begin(l, &e, of, referenceBefore(&e), nil)
	}
	if isDistressed || !isAdded {
		l.Add(e)
	}
}

func (t *Troubles) takeClosed(l *Log, e Event, of *trouble) {
	isLeft := of.isSpent && e.statuses[1] == model.StatusClosedOut
	if !of.isUnderWay() && !isLeft && isTrouble(e.statuses[1]) {
		t.beginWaiting(l, &e, of)
	}
	if of.isUnderWay() {
		e.Story = of.story
		of.story.takeLast(&e)
		of.story.end(&e, l.Count()+1, of.story.outcome(&e))
		t.setWell(of, nil)
		*of = trouble{story: of.story, keptUntil: e.SeenAt().Add(KeptFor)}
	} else {
		*of = trouble{}
	}
	l.Add(e)
}

// takeOpen takes an event of a position that is open before and after it, on the same side.
func (t *Troubles) takeOpen(l *Log, e Event, of *trouble) {
	status := e.statuses[1]
	isReduced := e.Kinds&Reduced != 0
	switch {
	case of.isUnderWay():
	case status == model.StatusDistressed, status == model.StatusClosedOut && !of.isSpent && isReduced:
		t.beginWaiting(l, &e, of)
	case status == model.StatusClosedOut && !of.isSpent && of.waiting == nil && e.statuses[0] != status:
		before := referenceBefore(&e)
		of.waiting, of.since = &before, stepAfter(&e)
	}
	if status != model.StatusClosedOut {
		of.waiting, of.isSpent = nil, false
	}
	if of.isUnderWay() {
		e.Story = of.story
		of.story.takeLast(&e)
		of.story.IsPart = of.story.IsPart || status == model.StatusClosedOut && isReduced
		switch {
		case isTrouble(status):
			t.setWell(of, nil)
		case of.well == nil:
			since := stepAfter(&e)
			t.setWell(of, &since)
		}
	}
	l.Add(e)
}

func stepAfter(e *Event) Step {
	at, exact := e.At()
	return Step{e.statuses[1], at, exact, e.SeenAt()}
}

// beginWaiting begins a story with an event. If the position has waited for it with the status CLOSED_OUT, that is its
// beginning.
func (t *Troubles) beginWaiting(l *Log, e *Event, of *trouble) {
	if of.waiting != nil && e.statuses[1] == model.StatusClosedOut {
		since := of.since
		t.begin(l, e, of, *of.waiting, &since)
		return
	}
	t.begin(l, e, of, referenceBefore(e), nil)
}

// begin begins a story with an event, which must then be added to the log. since is when the trouble began, nil if that
// is with the event.
func (t *Troubles) begin(l *Log, e *Event, of *trouble, before Reference, since *Step) {
	story := &Story{Number: l.Count() + 1, Key: e.Key, Before: before, size: before.position.Number(model.OpenVolume)}
	if since != nil {
		story.Steps = []Step{*since}
	}
	story.takeLast(e)
	if story.size.IsZero() {
		story.size = story.last.Number(model.OpenVolume)
	}
	if first := t.Present.firstAlert(e.Key); first != nil {
		story.Alert = first.Number
	}
	of.story, of.waiting, of.isSpent = story, nil, false
	e.Story = story
}

// NoteUnchanged takes a change of a position that is no event: of a position in trouble that was never seen before it
// was, and the time of an update of one that is well again.
func (t *Troubles) NoteUnchanged(l *Log, before, after *model.Position, seen time.Time) {
	if before == nil || after == nil || t.well == 0 && !isTrouble(before.Status()) {
		return
	}
	if t.well > 0 {
		if at, ok := after.Number(model.UpdatedAt).Time(); ok && at.Sub(seen) <= model.AheadFor {
			t.endIfWell(l, after.Key, Step{At: at, IsExact: true, SeenAt: seen})
		}
	}
	if isTrouble(before.Status()) && before.IsOpen() && t.of(before.Key) == nil {
		e := Event{Kinds: TroubleBegan, Source: notByUpdate, seenAt: seen.UnixNano()}
		e.setState(0, before)
		e.setState(1, before)
		if t.noteFirst(l, &e, t.add(e.Key)); e.Story != nil {
			l.Add(e)
		}
	}
}

// noteFirst takes an open position that may have been in trouble already when it was first seen, with the first event
// of it.
func (t *Troubles) noteFirst(l *Log, e *Event, of *trouble) {
	status := e.statuses[0]
	before := Reference{Of: FirstSeen, At: e.SeenAt(), position: e.Before(), noProfit: e.noProfit}
	since := Step{Status: status, At: e.SeenAt(), SeenAt: e.SeenAt()}
	switch status {
	case model.StatusDistressed:
		t.begin(l, e, of, before, &since)
	case model.StatusClosedOut: // perhaps it was closed out long ago, and opened again
		of.waiting, of.since = &before, since
	}
}

// Tick ends what ends by the clock of the service: the stories of positions that are well again, unless their rows may
// be out of date, and how long rows are kept.
func (t *Troubles) Tick(l *Log, now time.Time, isOutOfDate func(model.Key) bool) {
	if t.Present.troubled == 0 {
		return
	}
	for key, row := range t.Present.rows {
		switch of := row.trouble; {
		case of == nil:
		case of.well != nil && !isOutOfDate(key):
			t.endIfWell(l, key, Step{SeenAt: now})
		case !of.keptUntil.IsZero() && !now.Before(of.keptUntil):
			*of = trouble{}
			t.dropEmpty(key)
		}
	}
}

// endIfWell ends the story of a position that is well again, if it is for WellFor: by the time of an update if that is
// known, else by the clock.
func (t *Troubles) endIfWell(l *Log, key model.Key, now Step) {
	of := t.of(key)
	if of == nil || of.well == nil {
		return
	}
	passed := now.SeenAt.Sub(of.well.SeenAt)
	if now.IsExact && of.well.IsExact {
		passed = now.At.Sub(of.well.At)
	}
	if passed < WellFor {
		return
	}
	story := of.story
	e := Event{Kinds: TroubleEnded, Source: notByUpdate, seenAt: now.SeenAt.UnixNano(), Story: story}
	e.setState(0, story.last)
	e.setState(1, story.last)
	as := Recovered
	if story.IsPart {
		as = PartlyClosedOut
	}
	story.end(&e, l.Count()+1, as)
	story.EndedAt, story.IsExact = of.well.At.Add(WellFor), of.well.IsExact
	l.Add(e)
	t.setWell(of, nil)
	*of = trouble{}
	t.dropEmpty(key)
}

// setWell sets since when a position in a story is well again.
func (t *Troubles) setWell(of *trouble, since *Step) {
	if of.well != nil {
		t.well--
	}
	if of.well = since; since != nil {
		t.well++
	}
}

func (t *Troubles) of(key model.Key) *trouble {
	if row := t.Present.rows[key]; row != nil {
		return row.trouble
	}
	return nil
}

func (t *Troubles) add(key model.Key) *trouble {
	row := t.Present.row(key)
	row.trouble = new(trouble)
	t.Present.troubled++
	return row.trouble
}

// dropEmpty drops what is known of a position if that is nothing.
func (t *Troubles) dropEmpty(key model.Key) {
	row := t.Present.rows[key]
	if row != nil && row.trouble != nil && *row.trouble == (trouble{}) {
		row.trouble = nil
		t.Present.troubled--
	}
	t.Present.dropEmpty(key)
}

// Narrow drops the stories of positions outside of a scope: what happens to them is not seen any more.
func (t *Troubles) Narrow(scope model.Scope) {
	for key, row := range t.Present.rows {
		if row.trouble != nil && !scope.Covers(key) {
			t.setWell(row.trouble, nil)
			*row.trouble = trouble{}
			t.dropEmpty(key)
		}
	}
}

// Restart drops all stories: the rows are those of another time.
func (t *Troubles) Restart() {
	for key, row := range t.Present.rows {
		if row.trouble != nil {
			*row.trouble = trouble{}
			t.dropEmpty(key)
		}
	}
	t.well = 0
}
