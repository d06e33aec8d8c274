package export

import (
	"io"
	"slices"
	"strconv"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/columns"
)

// total is the sum of some numbers of rows of one group and asset.
type total struct {
	group, asset model.ID
	least        model.Key // of the rows
	rows, open   int
	sums         []model.Sum
}

// totals are the totals of rows, by group and asset. They are in the order in which these first appear.
type totals struct {
	list  []*total
	byKey map[[2]model.ID]*total
}

func (t *totals) of(group, asset model.ID) *total {
	key := [2]model.ID{group, asset}
	if t.byKey[key] == nil {
		if t.byKey == nil {
			t.byKey = make(map[[2]model.ID]*total)
		}
		t.byKey[key] = &total{group: group, asset: asset}
		t.list = append(t.list, t.byKey[key])
	}
	return t.byKey[key]
}

func (t *total) addRow(isOpen bool, numbers ...model.Amount) {
	t.rows++
	if isOpen {
		t.open++
	}
	if t.sums == nil {
		t.sums = make([]model.Sum, len(numbers))
	}
	for i, n := range numbers {
		t.sums[i].Add(n)
	}
}

func (t *total) leftOut(in *model.Instruments) (n int) {
	for i := range t.sums {
		n += t.sums[i].LeftOut(in.Asset(t.asset).Decimals)
	}
	return n
}

// WritePositionTotals writes the totals of positions: a record for each asset, or for each group and asset. They are in
// the order of the rows if these are in order, else in that of their keys. Positions whose asset is not known are
// counted, but have no sums.
func WritePositionTotals(w io.Writer, format Format, rows []book.Row, inOrder bool, grouping view.Grouping,
	options Options) (Result, error) {
	var all totals
	for _, row := range rows {
		key := row.Key()
		total := all.of(grouping.Of(key, model.ID{}), options.Instruments.Market(key.Market).Asset)
		if total.rows == 0 || key.Compare(total.least) < 0 {
			total.least = key
		}
		var numbers [model.SummedCount]model.Amount
		for i, f := range model.Summed() {
			numbers[i] = row.Number(f)
		}
		total.addRow(!row.Number(model.OpenVolume).IsZero(), numbers[:]...)
	}
	if !inOrder {
		slices.SortFunc(all.list, func(a, b *total) int { return a.least.Compare(b.least) })
	}
	return all.write(w, format, positionTotalColumns(grouping), &options)
}

func positionTotalColumns(grouping view.Grouping) []column[total] {
	all := append(groupColumns("assetId", grouping),
		countColumn("positions", "POSITIONS", func(t *total, _ *model.Instruments) int { return t.rows }),
		countColumn("openPositions", "OPEN", func(t *total, _ *model.Instruments) int { return t.open }),
	)
	for i, f := range model.Summed() {
		heading, _ := columns.NumberHeading(f)
		all = append(all, sumColumn(f.Name(), heading, f.HasSign(), i))
	}
	return append(all, leftOutColumn())
}

// WriteMarginTotals writes the totals of margin records: a record for each asset, or for each group and asset.
func WriteMarginTotals(w io.Writer, format Format, rows []model.MarginLevels, grouping view.Grouping, options Options) (Result, error) {
	var all totals
	for i := range rows {
		m := &rows[i]
		var numbers []model.Amount
		for _, n := range marginAmounts() {
			numbers = append(numbers, m.Number(n))
		}
		all.of(grouping.Of(m.Key, model.ID{}), m.Asset).addRow(false, numbers...)
	}
	return all.write(w, format, marginTotalColumns(grouping), &options)
}

func marginTotalColumns(grouping view.Grouping) []column[total] {
	all := append(groupColumns("asset", grouping),
		countColumn("records", "RECORDS", func(t *total, _ *model.Instruments) int { return t.rows }))
	for i, n := range marginAmounts() {
		heading, _ := columns.MarginNumberHeading(n)
		all = append(all, sumColumn(n.Name(), heading, false, i))
	}
	return append(all, leftOutColumn())
}

// marginAmounts are the numbers of a margin record that there are totals of.
func marginAmounts() (amounts []model.MarginNumber) {
	for n := range model.MarginNumberCount {
		if !n.IsTime() {
			amounts = append(amounts, n)
		}
	}
	return amounts
}

func leftOutColumn() column[total] {
	return countColumn("leftOut", "LEFT OUT", (*total).leftOut)
}

func groupColumns(assetField string, grouping view.Grouping) []column[total] {
	var columns []column[total]
	group := func(t *total) model.ID { return t.group }
	switch grouping {
	case view.GroupByParty:
		columns = append(columns, partyColumn(group))
	case view.GroupByMarket:
		columns = append(columns, marketColumn(group))
	}
	return append(columns, assetColumn(assetField, func(t *total, _ *model.Instruments) model.ID { return t.asset }))
}

func countColumn(field, heading string, count func(*total, *model.Instruments) int) column[total] {
	c := textColumn(field, field, heading, always, func(t *total, o *Options) string { return strconv.Itoa(count(t, o.Instruments)) })
	c.number = true
	return c
}

// sumColumn is a sum in an asset. If the asset is not known, the numbers have no common unit, and there is no sum.
func sumColumn(field, heading string, plus bool, i int) column[total] {
	return amountColumn(field, field, heading, always, plus, amounts[total]{
		func(t *total, o *Options) (model.Amount, bool) {
			return t.sums[i].Amount(o.Instruments.Asset(t.asset).Decimals), !t.asset.IsZero()
		},
		func(t *total, in *model.Instruments) int { return in.Asset(t.asset).Decimals },
	})
}

func (t *totals) write(w io.Writer, format Format, columns []column[total], options *Options) (Result, error) {
	r := records[total]{columns: columns, count: len(t.list), at: func(i int, _ *total) *total { return t.list[i] }, options: options}
	return r.write(w, format)
}
