package model

import "encoding/binary"

// trendPoints are the points of a Trend, the oldest first. All but the last one are kept as differences, in 3 to 20
// bytes for usual amounts: a screen has hundreds of trends, and each point has three amounts of 32 bytes.
type trendPoints struct {
	count   int
	last    trendPoint
	encoded []byte // all before the last one; bytes that are in it never change
	start   trendMark
	end     trendMark
}

// trendMark is what the next encoded point is a difference to: the time and the last amount of the point before it.
type trendMark struct {
	at   int64
	last Packed
}

// The bits of an encoded point that stand below its time.
const (
	oneAmount   = 1 << iota // the lowest and the highest amount are the last one
	withTexts               // each amount has its text
	trendFlags  = iota
	trendFormOf = 1<<trendFlags - 1
)

// add adds a point that is not before the last one.
func (s *trendPoints) add(p trendPoint) {
	if s.count > 0 {
		s.encoded = s.last.appendTo(s.encoded, s.end)
		s.end = s.last.mark()
	} else {
		s.start = trendMark{at: p.at}
		s.end = s.start
	}
	s.last = p
	s.count++
}

// first returns the first point. There must be one.
func (s *trendPoints) first() trendPoint {
	for p := range s.all {
		return p
	}
	return trendPoint{}
}

// dropFirst drops the first point of several.
func (s *trendPoints) dropFirst() {
	var p trendPoint
	s.encoded = p.readFrom(s.encoded, s.start)
	s.start = p.mark()
	s.count--
}

// moveBack moves all points by some seconds.
func (s *trendPoints) moveBack(back int64) {
	s.start.at -= back
	s.end.at -= back
	s.last.at -= back
}

func (s *trendPoints) all(yield func(trendPoint) bool) {
	for p := range s.beforeLast {
		if !yield(p) {
			return
		}
	}
	if s.count > 0 {
		yield(s.last)
	}
}

// beforeLast yields all points but the last one.
func (s *trendPoints) beforeLast(yield func(trendPoint) bool) {
	mark := s.start
	for rest := s.encoded; len(rest) > 0; {
		var p trendPoint
		rest = p.readFrom(rest, mark)
		if !yield(p) {
			return
		}
		mark = p.mark()
	}
}

// trendPoint is the lowest, the highest and the last amount in some seconds, from second at of the Unix epoch on.
type trendPoint struct {
	at              int64
	low, high, last Amount
}

func (p *trendPoint) mark() trendMark { return trendMark{p.at, p.last.Packed()} }

// appendTo appends the point as a difference to a mark.
func (p *trendPoint) appendTo(b []byte, mark trendMark) []byte {
	form := 0
	if p.low == p.last && p.high == p.last {
		form |= oneAmount
	}
	if p.last.isText() || p.low.isText() || p.high.isText() {
		form |= withTexts
	}
	b = binary.AppendUvarint(b, uint64(p.at-mark.at)<<trendFlags|uint64(form))
	for _, a := range [...]*Amount{&p.last, &p.low, &p.high} {
		b = binary.AppendVarint(b, int64(a.low-mark.last.Low))
		b = binary.AppendVarint(b, a.high-mark.last.High)
		if form&withTexts != 0 {
			b = binary.AppendUvarint(b, uint64(len(a.text)))
			b = append(b, a.text...)
		}
		if form&oneAmount != 0 {
			break
		}
	}
	return b
}

// readFrom reads what appendTo has appended, and returns the rest.
func (p *trendPoint) readFrom(b []byte, mark trendMark) (rest []byte) {
	head, n := binary.Uvarint(b)
	b = b[n:]
	form := head & trendFormOf
	p.at = mark.at + int64(head>>trendFlags)
	for _, a := range [...]*Amount{&p.last, &p.low, &p.high} {
		low, n := binary.Varint(b)
		high, m := binary.Varint(b[n:])
		a.low, a.high, b = mark.last.Low+uint64(low), mark.last.High+high, b[n+m:]
		if form&withTexts != 0 {
			length, n := binary.Uvarint(b)
			a.text, b = string(b[n:n+int(length)]), b[n+int(length):]
		}
		if form&oneAmount != 0 {
			p.low, p.high = p.last, p.last
			break
		}
	}
	return b
}
