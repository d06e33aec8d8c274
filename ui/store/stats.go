package store

// Stats are figures of what is watched, for metrics.
type Stats struct {
	Rows        int // positions in scope
	Unsent      int // rows that streams without a last page have not sent again
	Corrections int // rows that audits have corrected
	Rules       int // for alerts, of those that are on
	Waiting     int // rows that wait for a margin record of their size
}

// StatsOf returns the figures of a store.
func StatsOf(s *Store) Stats {
	stats := Stats{Rows: s.View().Rows(), Corrections: s.Corrections().Total(),
		Waiting: s.walk.waiting.Rows, Unsent: s.data.book.AllUnsent()}
	for i := range s.alerts.all {
		if !s.alerts.all[i].IsOff {
			stats.Rules++
		}
	}
	return stats
}
