package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/story"
)

// tickStories ends the stories and drops the rows that end by the clock. After a sleep, and while rows may be out of
// date, what has come is not known yet.
func tickStories(s *Store) {
	d := &s.data
	if s.flow.held != nil || d.isRead() {
		return
	}
	stale, isUnsure := s.Stale(), s.ScreenNow().Before(s.ticks.sureFrom)
	d.happening.troubles.Tick(d.happening.log, s.ServiceNow(), func(key model.Key) bool { return isUnsure || stale.HasRow(key) })
	d.happening.keptChanged = true
	d.keepRows()
}

// KeptStory returns the story of a position whose row is shown because of it, and false if it is not.
func KeptStory(s *Store, p *model.Position) (*event.Story, bool) {
	if p.IsOpen() {
		return nil, false
	}
	if f := s.data.frozen; f != nil {
		story, isKept := f.kept[p.Key]
		return story, isKept
	}
	return s.data.happening.troubles.Present.Kept(p.Key)
}

// maxStories is how many stories are listed.
const maxStories = 1000

// Stories returns the newest stories of positions in trouble, the oldest first. One that has ended with the position
// open again is not listed if the position is in trouble once more. What is under way outside of the scope is not
// listed: it is not known how it ends.
func Stories(s *Store) []*event.Story {
	of := &s.stories
	log := s.data.happening.log
	newest, scope := log.NewestLasting(), s.data.happening.storyScope
	if of.log != log || of.newest != newest || of.all == nil || !of.scope.Equal(scope) {
		*of = stories{log: log, newest: newest, all: storiesOf(log, s.data.happening.troubles.Present), scope: scope, told: of.told}
	}
	return of.all
}

func storiesOf(log *event.Log, present *event.Present) []*event.Story {
	all := []*event.Story{}
	isInTrouble := make(map[model.Key]bool)
	for number, e := range log.Lasting() {
		of := e.Story
		if of == nil || of.Number != number || len(all) >= maxStories {
			continue
		}
		if now, ok := present.UnderWay(of.Key); of.Outcome == event.IsUnderWay && (!ok || now != of) {
			continue
		}
		if of.Outcome == event.Recovered && isInTrouble[of.Key] {
			continue
		}
		isInTrouble[of.Key] = true
		all = append(all, of)
	}
	all = append(all, present.OlderStories(log)...)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// StoryOf returns the latest story of a position, and false if there is none.
func StoryOf(s *Store, key model.Key) (latest *event.Story, ok bool) {
	if f := s.data.frozen; f != nil {
		story, isThere := f.stories[key]
		return &story, isThere
	}
	for _, of := range Stories(s) {
		if of.Key == key {
			latest = of
		}
	}
	return latest, latest != nil
}

// nearby is how many events before and after that of a story may be of the same block.
const nearby = 1000

// Losses returns the events of rows of the scope that have got a part of a loss in the block in which a position was
// closed out.
func Losses(s *Store, of *event.Story) (losses []*event.Event) {
	block := of.Block()
	if of.Outcome != event.ClosedOut && of.Outcome != event.PartlyClosedOut || block == 0 {
		return nil
	}
	for number := of.Ended - min(of.Ended, nearby); number <= of.Ended+nearby; number++ {
		e, ok := s.data.happening.log.Numbered(number)
		if !ok || e.Kinds&event.LossSocialised == 0 || !s.data.scope.Covers(e.Key) {
			continue
		}
		if at, exact := e.At(); exact && at.UnixNano() == block {
			losses = append(losses, e)
		}
	}
	return losses
}

// tellStories returns the notice about the stories that have ended with a close-out since the last time, many in one
// line; empty if none have.
func tellStories(s *Store) string {
	newest := s.data.happening.log.NewestLasting()
	if newest <= s.stories.told {
		return ""
	}
	var untold []*event.Story
	for number, e := range s.data.happening.log.Lasting() {
		if number <= s.stories.told {
			break
		}
		isRecent := s.ServiceNow().Sub(e.SeenAt()) < event.KeptFor // else a recording has gone to a time after it
		if of := e.Story; of != nil && of.Ended == number && story.IsCloseOut(of) && isRecent && s.data.scope.Covers(of.Key) {
			untold = append([]*event.Story{of}, untold...)
		}
	}
	s.stories.told = newest
	return StoryWriter(s).Told(untold)
}

// settleEvents adds the events of rows that can be used again to the log. It returns a command that makes it go on if
// there are many.
func settleEvents(s *Store, now time.Time) tea.Cmd {
	d, f := &s.data, &s.flow
	arrival := event.NewArrival(f.links, now)
	note := func(e event.Event) {
		if d.scope.Covers(e.Key) {
			d.happening.take(e)
		}
	}
	if d.job.running || f.held != nil || !d.happening.finder.CompareKept(d.book, &arrival, note) {
		return nil
	}
	return func() tea.Msg { return unappliedMsg{} }
}
