package book

import "blotter/model"

// settle makes rows of a new table wait that must, because of the records that there are already. From is the table
// that it replaces, nil if there is none.
func (r *Rows) settle(from *Rows, margins *Margins, notAfter int64) {
	if margins.count() == 0 || r.waits.told.hasTimes && r.waits.told.upTo >= margins.newest &&
		len(r.waits.sizedAt)+len(r.waits.pairs) == 0 {
		return
	}
	for number := range r.all {
		r.settleRow(number, from, margins, notAfter)
	}
}

// settleRow does what settle does for a row.
func (r *Rows) settleRow(number uint32, from *Rows, margins *Margins, notAfter int64) {
	if r.Amount(number, model.OpenVolume).IsZero() {
		return
	}
	read := ReadTimes{NotAfter: notAfter}
	for record := range margins.withKey(r.key(number)) {
		key := margins.marginKey(record)
		w, waits := r.waiting(number, key)
		until, mustWait := r.waits.mustWait(number, margins.Amount(record, marginTimestamp), read)
		switch {
		case !mustWait && w.until <= r.waits.told.upTo:
			r.endWait(number, key, margins)
			continue
		case !mustWait:
			until = w.until
		case !waits:
			w = r.pairBefore(number, from, margins, record, r.waits.knownTo(number, until, read))
		}
		w.until = until
		r.wait(number, key, w)
	}
}

// pairBefore returns the pair that a row has had in the table before, which may be nil, if it had the same side there.
func (r *Rows) pairBefore(number uint32, from *Rows, margins *Margins, record uint32, knownTo int64) wait {
	none := wait{last: model.MarginRatio{EndedAt: knownTo}}
	earlier := from.number(r.key(number))
	if earlier == 0 {
		return none
	}
	before := from.Position(earlier)
	if model.SideOf(before.Number(model.OpenVolume)) != model.SideOf(r.Amount(number, model.OpenVolume)) {
		return none
	}
	if w, waits := from.waiting(earlier, margins.marginKey(record)); waits {
		return w
	}
	return pairOf(&before, margins, record, max(knownTo, from.waits.told.upTo))
}

// keepSizes copies to the rows of a snapshot when the sizes of the rows that they replace have changed. Rows of a
// recording may have these times already, and better ones: those of the changes themselves.
func (r *Rows) keepSizes(from *Rows, margins *Margins, notAfter int64) {
	var before, after model.Position
	numbers := numbersIn(r, from)
	for number := range r.all {
		earlier := numbers[number]
		if earlier == 0 || r.waits.sizeChangedAt(number) != 0 {
			continue
		}
		sizedAt := from.waits.sizeChangedAt(earlier)
		isSame := from.Amount(earlier, model.OpenVolume) == r.Amount(number, model.OpenVolume)
		if isSame && sizedAt == 0 {
			continue
		}
		from.get(earlier, &before)
		r.get(number, &after)
		for record := range margins.withKey(after.Key) {
			key := margins.marginKey(record)
			if w, waits := from.waiting(earlier, key); waits {
				r.wait(number, key, w)
			}
		}
		if isSame {
			r.waits.setSizeChangedAt(number, sizedAt)
		} else {
			r.resize(number, &before, &after, margins, max(sizeTime(&after, notAfter), sizedAt), notAfter)
		}
	}
}
