package book

import (
	"maps"
	"slices"

	"blotter/model"
)

// marginTexts are the texts of margin records. Most records have the same ones, and share them: a record takes 8 bytes.
type marginTexts struct {
	records []*model.MarginTexts // by the number of the record; nil if it has none
	shared  map[model.MarginTexts]*model.MarginTexts
}

// maxShared is how many texts are remembered, so that records with the same can share them. Order margins may differ in
// each record.
const maxShared = 1024

func (t *marginTexts) put(number uint32, texts *model.MarginTexts) {
	isNone := *texts == model.MarginTexts{}
	if int(number) >= len(t.records) {
		if isNone {
			return
		}
		t.records = append(t.records, make([]*model.MarginTexts, int(number)+1-len(t.records))...)
	}
	if isNone {
		t.records[number] = nil
		return
	}
	kept := t.shared[*texts]
	if kept == nil {
		kept = new(model.MarginTexts)
		*kept = *texts
		if len(t.shared) >= maxShared || t.shared == nil {
			t.shared = make(map[model.MarginTexts]*model.MarginTexts)
		}
		t.shared[*texts] = kept
	}
	t.records[number] = kept
}

func (t *marginTexts) of(number uint32) model.MarginTexts {
	if int(number) >= len(t.records) || t.records[number] == nil {
		return model.MarginTexts{}
	}
	return *t.records[number]
}

func (t *marginTexts) clone() marginTexts {
	return marginTexts{slices.Clone(t.records), maps.Clone(t.shared)}
}
