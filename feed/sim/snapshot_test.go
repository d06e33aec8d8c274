package sim_test

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

func TestUpdatesBetweenThePagesOfASnapshot(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, changed := position(alice, gold, 1), position(alice, rust, 2), position(alice, rust, 3)
		s.Put(one)
		s.Put(two)
		s.SetSnapshots(sim.Snapshots{PageSize: 1, Pause: 1500 * time.Millisecond, UpdatesBetween: true})
		stream := s.stream("")
		first, last := strings.Replace(snapshot(one), `,"lastPage":true`, "", 1), snapshot(two)
		want(t, "the first page", stream.lines(), first)
		s.Update(changed)
		want(t, "an update, then the last page", stream.lines(), updates(changed)+last)
		s.Update(one)
		want(t, "an update afterwards", stream.lines(), updates(one))
	})
}

func TestSnapshotWithoutItsLastPage(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two := position(alice, gold, 1), position(alice, rust, 2)
		s.Put(one)
		s.Put(two)
		s.SetSnapshots(sim.Snapshots{PageSize: 1, NoLastPage: true})
		stream := s.stream("")
		want(t, "all pages but the last", stream.lines(), strings.Replace(snapshot(one), `,"lastPage":true`, "", 1))
		s.Update(one)
		want(t, "an update", stream.lines(), updates(one))
		s.SetSnapshots(sim.Snapshots{})
		want(t, "a stream that is opened afterwards", s.stream("").lines(), snapshot(one, two))
	})
}

func TestMarketsThatAStreamLoses(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		lost, other := position(alice, gold, 1), position(alice, rust, 2)
		stream := s.stream("")
		stream.lines()
		s.LoseMarkets(gold)
		s.Update(lost, other)
		want(t, "the update", stream.lines(), updates(other))
		later := s.stream("")
		want(t, "a stream that is opened later", later.lines(), snapshot(lost, other))
		s.Update(lost)
		want(t, "nothing but the lost market", stream.lines(), "")
		want(t, "the later stream", later.lines(), updates(lost))
		s.LoseMarkets()
		s.Update(lost)
		want(t, "once nothing is lost", stream.lines(), updates(lost))
	})
}

func TestSnapshotsWithoutFlatRows(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		flat, open := position(alice, gold, 0), position(alice, rust, 2)
		s.Put(flat, open)
		s.SetSnapshots(sim.Snapshots{NoFlat: true})
		stream := s.stream("")
		want(t, "the snapshot", stream.lines(), snapshot(open))
		s.Update(flat)
		want(t, "an update", stream.lines(), updates(flat))
	})
}

func TestTimesThatAreTexts(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		p := position(alice, gold, 1)
		written := strings.Replace(snapshot(p), `"updatedAt":"7"`, `"updatedAt":"2000-01-01T00:00:00Z"`, 1)
		p.UpdatedAtText = "2000-01-01T00:00:00Z"
		s.Put(p)
		want(t, "the snapshot", s.stream("").lines(), written)
	})
}
