package book

import (
	"slices"

	"blotter/model"
)

// ApplyAudit compares a page of an audit with the book, and corrects the book, by the rows that fit in a list. It
// removes what it has compared from the page, and returns what it has corrected. A page changes nothing if the first
// page of its audit was compared with another table: a snapshot has replaced that table since.
func (b *Book) ApplyAudit(page *AuditPage) Changes {
	c := auditComparison{book: b, table: b.Table(page.Subscription), page: page}
	changes := Changes{Of: page.Subscription, IsAudit: true, Begins: page.First}
	b.left.noteTime(page.NotAfter)
	switch {
	case c.table == nil:
	case page.Corrected:
		changes.More = c.correctAgain()
	default:
		changes.More = c.compare()
	}
	page.First = false
	changes.Rows, changes.Ends = b.list.takeAll(), page.Last && !changes.More
	return changes
}

// Compare applies a whole page of an audit, for a caller that does not need what has changed.
func (b *Book) Compare(page *AuditPage) {
	for rest := *page; b.ApplyAudit(&rest).More; {
	}
}

// auditComparison compares what is left of a page of an audit with the table of its subscription, and corrects the
// table. It ends if the list of changes has no more room.
type auditComparison struct {
	book  *Book
	table *Table
	page  *AuditPage
}

// compare compares the page with the table, and reports whether there is more to compare or to correct.
func (c *auditComparison) compare() (more bool) {
	t, page := c.table, c.page
	if page.First {
		t.audit = new(audit)
	}
	if t.audit == nil {
		return false
	}
	for ; len(page.Positions) > 0; page.Positions = page.Positions[1:] {
		if !c.compareRow(&page.Positions[0]) {
			return true
		}
	}
	for ; len(page.Removed) > 0; page.Removed = page.Removed[1:] {
		number := t.rows.number(page.Removed[0])
		switch {
		case !c.hasRoom(number):
			return true
		case number != 0 && !t.audit.seen.Has(number) && !t.audit.active.Has(number):
			delete(c.book.left.rows, page.Removed[0]) // if the row comes again, it is a new one
			c.book.remove(t, number)
		}
	}
	if !page.Last {
		return false
	}
	for number := range t.audit.missing(t.rows) {
		if c.book.list.isFull() {
			return true
		}
		c.leaveOut(number)
	}
	page.left.newest = t.audit.newest
	if c.end() {
		return true
	}
	t.audit = nil
	return false
}

// compareRow compares a row of the page with the table, and corrects the table. It returns false if the list has no
// room for that.
func (c *auditComparison) compareRow(p *model.Position) bool {
	t, notAfter := c.table, c.page.NotAfter
	number := t.rows.number(p.Key)
	if !c.hasRoom(number) {
		return false
	}
	if at, usable := p.ChangedAt(notAfter); usable {
		t.audit.newest = max(t.audit.newest, at)
	}
	if number == 0 && c.book.left.isNewer(p, notAfter) {
		return true
	}
	if number != 0 {
		t.audit.seen.Add(number)
		if !c.takes(number, p) {
			return true
		}
	}
	if number = c.correct(number, p); number != 0 { // else the book is full
		t.audit.seen.Add(number)
		t.updated.Remove(number)
	}
	return true
}

// takes reports whether a state of the audit replaces the row with the number.
func (c *auditComparison) takes(number uint32, p *model.Position) bool {
	t, isActive := c.table, c.table.audit.active.Has(number)
	row := t.rows.Position(number)
	if row.Agrees(p) {
		delete(t.doubted, number)
		return false
	}
	return replaces(p, row.Number(model.UpdatedAt), c.page.NotAfter, !isActive) || !isActive && c.isBelieved(p.Key)
}

// isBelieved reports whether the audit counts for a row although it has an older state.
func (c *auditComparison) isBelieved(key model.Key) bool {
	if c.page.IsBelieved {
		return true
	}
	_, found := slices.BinarySearchFunc(c.page.Believed, key, model.Key.Compare)
	return found
}

// leaveOut handles a row that is not in the audit.
func (c *auditComparison) leaveOut(number uint32) {
	switch p := c.table.rows.Position(number); {
	case c.page.IsBelieved:
		c.book.remove(c.table, number)
	case !p.IsOpen():
		c.book.left.put(&p)
		c.book.remove(c.table, number)
	}
}

// hasRoom reports whether the list of changes has room for the row with the number, and does not have it already.
func (c *auditComparison) hasRoom(number uint32) bool {
	return !c.book.list.isFull() && !c.table.rows.isListed(number)
}

// correctAgain makes the corrections of an earlier audit, and reports whether there are more.
func (c *auditComparison) correctAgain() (more bool) {
	t, page := c.table, c.page
	for ; len(page.Positions) > 0; page.Positions = page.Positions[1:] {
		p := &page.Positions[0]
		number := t.rows.number(p.Key)
		if !c.hasRoom(number) {
			return true
		}
		c.correct(number, p)
		page.left.newest = max(page.left.newest, NewestTime(page.Positions[:1], page.NotAfter))
	}
	for ; len(page.Removed) > 0; page.Removed = page.Removed[1:] {
		number := t.rows.number(page.Removed[0])
		if !c.hasRoom(number) {
			return true
		}
		if number != 0 {
			if p := t.rows.Position(number); !p.IsOpen() {
				c.book.left.put(&p)
			}
			c.book.remove(t, number)
		}
	}
	return page.Last && c.end()
}

// correct sets the row with the number to after; 0 is a new row. It returns the number that the row has then, and 0 if
// the book has no room for it.
func (c *auditComparison) correct(number uint32, after *model.Position) (row uint32) {
	row = c.book.set(c.table, number, after, ChangedByAudit, c.page.NotAfter)
	if row != 0 && c.table.partial {
		c.table.sent.Add(row)
	}
	return row
}

// end ends the audit after its last page. It returns true if not all rows that have waited for it fit in the list: then
// it must be called again.
func (c *auditComparison) end() (more bool) {
	t := c.table
	if c.book.tell(t, &c.page.left, c.page.Told, c.page.NotAfter) {
		return true
	}
	t.audited, t.partial, t.sent = true, false, nil
	return false
}
