package book

import "blotter/model"

// Packed returns what Amount returns, without its text.
func (r *records) Packed(number uint32, f model.Field) model.Packed {
	at := r.at(number)
	if (at.wide | at.texts).has(f) {
		return r.unusual(number, f)
	}
	return model.Packed{High: at.numbers[f] >> 63, Low: uint64(at.numbers[f])}
}

// unusual returns a number that is wide or a text.
func (r *records) unusual(number uint32, f model.Field) model.Packed {
	at := r.at(number)
	if at.texts.has(f) {
		return model.Packed{High: model.PackedText}
	}
	return model.Packed{High: *r.upper[number/chunkRecords].at(number%chunkRecords, f), Low: uint64(at.numbers[f])}
}

// Amount returns a number of a record.
func (r *records) Amount(number uint32, f model.Field) model.Amount {
	n := r.Packed(number, f)
	if n.IsText() {
		return model.TextAmount(r.texts[number].Numbers[f])
	}
	return n.Amount()
}

// read sets the first numbers of a record, and returns its texts, nil if there are none.
func (r *records) read(number uint32, numbers []model.Packed) *model.Texts {
	at := r.at(number)
	for f := range numbers {
		n := at.numbers[f]
		numbers[f] = model.Packed{High: n >> 63, Low: uint64(n)}
	}
	if unusual := at.wide | at.texts; unusual != 0 {
		for f := range unusual.all {
			numbers[f] = r.unusual(number, f)
		}
	}
	if len(r.texts) == 0 {
		return nil
	}
	return r.texts[number]
}

// write sets the first numbers of a record, of which it uses no others, and their texts, nil if there are none.
func (r *records) write(number uint32, numbers []model.Packed, t *model.Texts) {
	at := r.at(number)
	var wide, isText fieldSet
	for f, n := range numbers {
		at.numbers[f] = int64(n.Low)
		switch {
		case n.High == int64(n.Low)>>63:
		case n.IsText():
			isText |= 1 << f
		default:
			wide |= 1 << f
		}
	}
	at.wide, at.texts = wide, isText
	if isText != 0 || len(r.noNumbers.fields) > 0 {
		r.noteTexts(number, isText, t)
	}
	if wide != 0 {
		r.writeUpper(number, numbers, wide)
	}
	switch {
	case t != nil:
		if r.texts == nil {
			r.texts = make(map[uint32]*model.Texts)
		}
		r.texts[number] = t
	case len(r.texts) > 0:
		delete(r.texts, number)
	}
}

// writeUpper sets the upper halves of the wide numbers of a record.
func (r *records) writeUpper(number uint32, numbers []model.Packed, wide fieldSet) {
	for len(r.upper) < len(r.chunks) {
		r.upper = append(r.upper, upperHalves{})
	}
	upper := &r.upper[number/chunkRecords]
	upper.addFields(wide)
	for f := range wide.all {
		*upper.at(number%chunkRecords, f) = numbers[f].High
	}
}

// eachNoNumber yields each field of a record that has a text that is no number, in no order.
func (r *records) eachNoNumber(yield func(key model.Key, f model.Field, text string) bool) bool {
	for number, fields := range r.noNumbers.fields {
		for f := range fields.all {
			if !yield(r.key(number), f, r.texts[number].Numbers[f]) {
				return false
			}
		}
	}
	return true
}

// OddTime returns a time of a record that is not understood, and false if there was none.
func (r *records) OddTime() (model.Amount, bool) {
	if r == nil {
		return model.Amount{}, false
	}
	return r.odd, !r.odd.IsZero()
}
