package model

// Rows are all positions of one subscription, by key. The nil Rows has none.
type Rows struct{ byKey map[Key]*Position }

// NewRows returns a table without positions.
func NewRows() *Rows { return &Rows{byKey: make(map[Key]*Position)} }

// Put keeps a copy of p, in place of what there was for its key.
func (r *Rows) Put(p *Position) {
	if row, ok := r.byKey[p.Key]; ok {
		*row = *p
		return
	}
	row := *p
	r.byKey[p.Key] = &row
}

// Get is the position with the key, nil where there is none. It must not be changed.
func (r *Rows) Get(key Key) *Position {
	if r == nil {
		return nil
	}
	return r.byKey[key]
}

// Delete lets the position with the key go.
func (r *Rows) Delete(key Key) { delete(r.byKey, key) }

// Len is how many positions there are.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return len(r.byKey)
}

// All yields every position once, in no order.
func (r *Rows) All(yield func(*Position) bool) {
	if r == nil {
		return
	}
	for _, row := range r.byKey {
		if !yield(row) {
			return
		}
	}
}
