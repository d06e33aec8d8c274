package model

// Rows is a table of the positions of one subscription, by key. They are stored as records. A nil Rows is an empty table.
type Rows struct {
	records
	touched int64 // see records.prefetch
}

// NewRows returns an empty table.
func NewRows() *Rows { return &Rows{records: newRecords()} }

// Len returns the number of positions.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return r.count()
}

// Put stores p in place of the position with its key.
func (r *Rows) Put(p *Position) { r.set(r.number(p.Key), p) }

// PutUnlessOlder stores p, unless the position with its key is newer: two pages of one snapshot may have the same
// position. Times later than notAfter, in nanoseconds since the Unix epoch, are ignored.
func (r *Rows) PutUnlessOlder(p *Position, notAfter int64) {
	number := r.number(p.Key)
	if number == 0 || p.replaces(r.amount(number, UpdatedAt), notAfter, true) {
		r.set(number, p)
	}
}

// set sets the position with the number to p, or adds one where the number is 0. It returns the number.
func (r *Rows) set(number uint32, p *Position) uint32 {
	if number == 0 {
		number = r.add(p.Key)
	}
	texts := p.texts
	if !p.hasTexts() {
		texts = nil
	}
	r.write(number, &p.numbers, texts)
	r.at(number).statusOrAsset = uint32(p.status)
	return number
}

// position returns the position with the number.
func (r *Rows) position(number uint32) (p Position) {
	r.get(number, &p)
	return p
}

// get sets p to the position with the number.
func (r *Rows) get(number uint32, p *Position) {
	p.Key, p.status = r.key(number), r.status(number)
	p.texts = r.read(number, &p.numbers)
}

func (r *Rows) status(number uint32) Status { return Status(r.at(number).statusOrAsset) }

func (r *Rows) statusName(number uint32) string {
	return statusName(r.status(number), r.texts[number])
}

// Has reports whether there is a position with the key.
func (r *Rows) Has(key Key) bool { return r.number(key) != 0 }

// number returns the number of the position with the key, and 0 where there is none.
func (r *Rows) number(key Key) uint32 {
	if r == nil {
		return 0
	}
	for number := range r.withKey(key) {
		return number
	}
	return 0
}

// All yields every position once, in no particular order. The table must not be changed during the loop.
func (r *Rows) All(yield func(Position) bool) {
	if r == nil {
		return
	}
	for number := range r.all {
		if !yield(r.position(number)) {
			return
		}
	}
}

// prefetch loads the rows of at most recordsTogether positions into the processor's cache.
func (r *Rows) prefetch(positions []Position) {
	var keys [recordsTogether]Key
	for i := range positions {
		keys[i] = positions[i].Key
	}
	r.touched += r.records.prefetch(keys[:len(positions)])
}
