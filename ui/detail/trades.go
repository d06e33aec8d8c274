package detail

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
)

// trade is what was traded of a position in one update, all together.
type trade struct {
	at       time.Time
	isExact  bool         // else only a comparison has shown it: it happened at some time before
	size     model.Amount // negative if it was sold
	price    analysis.Price
	hasPrice bool
}

// tradeList are the latest trades of the selected position, of a log of events.
type tradeList struct {
	log         *event.Log
	key         model.Key
	instruments *model.Instruments // of the prices
	countsOther bool               // of the prices: see store.CountsOther
	newest      uint64             // the number of the newest event that was read
	oldest      uint64             // and of the oldest
	recorded    int                // how many trades were read in a recording; the list ends with those before its own
	trades      []trade            // the newest first
}

// The bounds of a list: how many trades it keeps, and how many events one call of update reads.
const (
	maxTrades    = 100
	readTogether = 5000
)

// update brings the list up to date with the log of a store, for a position.
func (l *tradeList) update(of *store.Store, key model.Key) {
	log, in, countsOther, count := of.Events(), of.Instruments(), store.CountsOther(of, key), store.NewestShown(of)
	var recorded []event.Event
	if row := of.Moves().TrendOf(key); row != nil {
		recorded = row.Older
	}
	isOther := l.log != log || l.key != key || l.instruments != in || l.countsOther != countsOther
	if isOther || l.recorded > len(recorded) || count-l.newest > readTogether {
		*l = tradeList{log: log, key: key, instruments: in, countsOther: countsOther, newest: count, oldest: count + 1}
	}
	var newer []trade
	for ; l.newest < count; l.newest++ {
		if t, ok := l.numbered(l.newest + 1); ok {
			newer = append(newer, t)
		}
	}
	if slices.Reverse(newer); len(newer) > 0 {
		l.trades = append(newer, l.trades...)
	}
	for range readTogether {
		if !l.isReading() {
			break
		}
		l.oldest--
		if t, ok := l.numbered(l.oldest); ok {
			l.trades = append(l.trades, t)
		}
	}
	if !l.isReading() && l.recorded < len(recorded) {
		l.addRecorded(recorded)
	}
	l.trades = l.trades[:min(len(l.trades), maxTrades)]
}

// isReading reports whether not all events were read for the list.
func (l *tradeList) isReading() bool {
	return l.log != nil && l.oldest > l.log.Oldest() && len(l.trades) < maxTrades
}

// addRecorded adds the trades of a recording, the latest first, that were before those of the log. The recording may
// have the time of a trade a little later than the log.
func (l *tradeList) addRecorded(recorded []event.Event) {
	own := len(l.trades)
	for i := range recorded {
		t, ok := l.tradeOf(&recorded[i])
		if ok && (own == 0 || t.at.Before(l.trades[own-1].at.Add(-recordedLater))) {
			l.trades = append(l.trades, t)
		}
	}
	l.recorded = len(recorded)
}

// recordedLater is how much later than in the log the time of a trade may be in a recording.
const recordedLater = 2 * time.Second

// numbered returns the trade of the event with a number, and false if it is none of the position.
func (l *tradeList) numbered(number uint64) (t trade, ok bool) {
	e, isKept := l.log.Numbered(number)
	if !isKept || e.Key != l.key || e.Alert != nil {
		return t, false
	}
	return l.tradeOf(e)
}

// tradeOf returns the trade of an event, and false if it is none.
func (l *tradeList) tradeOf(e *event.Event) (t trade, ok bool) {
	before, after := e.Before(), e.After()
	size, ok := model.Difference(after.Number(model.OpenVolume), before.Number(model.OpenVolume),
		l.instruments.Decimals(model.OpenVolume, e.Market))
	if !ok || size.IsZero() || e.Kinds&event.Removed != 0 {
		return t, false
	}
	t.size = size
	t.at, t.isExact = e.At()
	if e.Source == book.ChangedByUpdate && !l.hasOther(before, after) {
		t.price, t.hasPrice = analysis.TradePrice(before, after, l.instruments)
	}
	return t, true
}

// hasOther reports whether a change of realised PnL from which a price would follow may have something else in it:
// funding or fees, or what a close-out took.
func (l *tradeList) hasOther(before, after *model.Position) bool {
	return analysis.IsOfRealised(before, after) && (l.countsOther || after.Status() == model.StatusClosedOut)
}

// shownTrades is how many of the latest trades are written.
const shownTrades = 6

// tradesFact are the latest trades, the newest first: "14:01:22 +600 @ ≈ 147.3". It has no value if there is none.
func tradesFact(p *Position) draw.Fact {
	if p.Trades == nil || len(p.Trades.trades) == 0 {
		return draw.Fact{}
	}
	var words []string
	for _, t := range p.Trades.trades[:min(len(p.Trades.trades), shownTrades)] {
		words = append(words, tradeWords(p, &t))
	}
	if more := len(p.Trades.trades) - shownTrades; more > 0 {
		words = append(words, "and "+format.Counted(more, "earlier one"))
	}
	return draw.Fact{Name: "net trades", Value: strings.Join(words, "; ")}
}

func tradeWords(p *Position, t *trade) string {
	words := p.Format.ShortClockOn(t.at, p.Now)
	if !t.isExact {
		words = "by " + words
	}
	words += " " + p.Format.NumberIn(t.size, model.OpenVolume, p.Market, true).Marked(format.RawMark)
	if t.hasPrice {
		words += " @ ≈ " + format.Rounded(t.price.Amount, model.Unscaled, t.price.Places, false).Text
	}
	return words
}
