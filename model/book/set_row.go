package book

import "blotter/model"

// set sets the row with the number to p, or adds a row if the number is 0. It returns the number of the row, and 0
// if the book is full.
func (b *Book) set(t *Table, number uint32, p *model.Position, source ChangeSource, notAfter int64) uint32 {
	if number == 0 {
		if number = b.addRow(t, p, source, notAfter); number != 0 {
			if t.partial || b.left.isAsLeft(p) {
				source = NoEvent
			}
			c := b.list.addChange(t, number, source)
			c.After, c.isNew = p, true
		}
		return number
	}
	c := b.list.addChange(t, number, t.sourceOf(number, source))
	c.setBefore()
	c.After = p
	if c.before.Number(model.OpenVolume) != p.Number(model.OpenVolume) {
		c.setWaited()
		at := max(sizeTime(p, notAfter), t.rows.SizeChangedAt(number))
		t.rows.resize(number, &c.before, p, b.margins, at, notAfter)
	}
	t.rows.set(number, p)
	delete(t.doubted, number)
	return number
}

// extraIdentifiers is how many parties, or markets, a table may have beyond the limit of positions. A table keeps those
// of rows that were removed, until the next snapshot: a faulty service may have others in each audit.
const extraIdentifiers = 1 << 16

// addRow adds a row and returns its number, and 0 if the book is full.
func (b *Book) addRow(t *Table, p *model.Position, source ChangeSource, notAfter int64) uint32 {
	if b.limit > 0 && (b.count >= b.limit || t.rows.identifiers() >= b.limit+extraIdentifiers) {
		b.leftOut = true
		return 0
	}
	b.count++
	number := t.rows.set(0, p)
	c, isKnown := b.unwatched[p.Key]
	switch {
	case source == ChangedByUpdate && !t.partial:
		t.rows.resize(number, new(model.Position), p, b.margins, sizeTime(p, notAfter), notAfter) // this update has opened it
	case isKnown:
		t.rows.waitAgain(number, &c, b.margins, notAfter)
	}
	if isKnown {
		delete(b.unwatched, p.Key)
	}
	if t.Told() < b.margins.newest {
		t.rows.settleRow(number, nil, b.margins, notAfter)
	}
	return number
}

// remove removes a row that an audit has not found.
func (b *Book) remove(t *Table, number uint32) {
	c := b.list.addChange(t, number, ChangedByAudit)
	c.setBefore()
	c.setWaited()
	for _, rows := range []model.RowSet{t.sent, t.updated} {
		rows.Remove(number)
	}
	delete(t.doubted, number)
	t.rows.pairs.Forget(number)
	t.rows.delete(number)
	b.count--
}

// endDue makes a row no longer wait for what is told now.
func (b *Book) endDue(t *Table, number uint32) {
	c := b.list.addChange(t, number, NoEvent)
	c.IsOfRatio = true
	c.setBefore()
	c.setWaited()
	t.rows.pairs.EndDue(number)
}
