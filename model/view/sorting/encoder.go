package sorting

import (
	"blotter/model"
	"blotter/model/book"
)

// Encoder makes the entries of a view, and reads their rows. It has a dictionary for each kind of text, so that a
// property of a text (does it match the filter?) is computed once and found in a slice by the text's code.
type Encoder struct {
	reader
	Instruments *model.Instruments
	codes       []tableCodes // by the number of the table
	Parties     model.Dictionary[model.ID]
	Markets     model.Dictionary[model.ID]
	Assets      model.Dictionary[model.ID]
	Statuses    model.Dictionary[string]
	statusCodes [cachedStatuses]uint32 // 1 + the code of each of these statuses; 0 if it has none yet
	assetCodes  []uint32               // the code of a market's settlement asset, by the code of the market
	assetOrder  []model.ID             // the assets of all markets, as an order by amounts has them: see orderAssets
	Kept        map[model.Key]bool     // flat positions that are not ordered as closed ones
	// The own groups of parties and of markets, by their codes; none if there are no own groups.
	partyGroups, marketGroups []model.GroupSet
}

// tableCodes are the codes in the view for the codes in a table of the book.
type tableCodes struct{ parties, markets translation }

// NewEncoder returns the encoder of the rows of a book. The flat positions in kept are not ordered as closed ones.
func NewEncoder(b *book.Book, instruments *model.Instruments, kept map[model.Key]bool) *Encoder {
	return &Encoder{reader: reader{Book: b}, Instruments: instruments, Kept: kept}
}

// Entry returns the entry of a row, without its rank.
func (c *Encoder) Entry(t *book.Table, number uint32) Entry {
	for int(t.Number()) >= len(c.tables) {
		c.tables, c.codes = append(c.tables, readTable{}), append(c.codes, tableCodes{})
	}
	table, codes, rows := &c.tables[t.Number()], &c.codes[t.Number()], t.Rows()
	if table.rows == nil {
		table.rows = rows
	}
	party, market := rows.Codes(number)
	party = codes.parties.code(party, rows.Parties(), &c.Parties)
	market = codes.markets.code(market, rows.Markets(), &c.Markets)
	c.encodeNew()
	e := Entry{Table: t.Number(), Row: number}
	status := c.statusCode(c.status(e), func() string { return c.StatusName(e) })
	return e.withCodes(party, market, status, model.SideOf(c.Amount(e, model.OpenVolume)))
}

// Entries returns the entries of all rows of its book that are in scope, without their ranks. It may be called once,
// first. After it the codes of parties and markets are in the order of their labels; those of later ones are not.
func (c *Encoder) Entries(scope *model.Scope) []Entry {
	entries := make([]Entry, 0, c.Book.Len())
	for t, number := range c.Book.AllRows {
		if scope.Covers(t.Rows().Key(number)) {
			entries = append(entries, c.Entry(t, number))
		}
	}
	parties, markets := c.Parties.Sort(c.Instruments.CompareParties), c.Markets.Sort(c.Instruments.CompareMarkets)
	for i, e := range entries {
		entries[i] = e.withCodes(parties[e.Party()], markets[e.Market()], e.Status(), e.Side())
	}
	for _, codes := range c.codes {
		codes.parties.recode(parties)
		codes.markets.recode(markets)
	}
	c.assetCodes, c.partyGroups, c.marketGroups = c.assetCodes[:0], c.partyGroups[:0], c.marketGroups[:0]
	c.encodeNew()
	if c.Book.Margins().Len() > 0 {
		for _, e := range entries {
			c.FindMarginRecord(e)
		}
	}
	return entries
}

// encodeNew adds the settlement assets of new markets, and the own groups of new parties and markets.
func (c *Encoder) encodeNew() {
	for _, id := range c.Markets.Values()[len(c.assetCodes):] {
		c.assetCodes = append(c.assetCodes, c.Assets.Code(c.Instruments.Market(id).Asset))
	}
	if len(c.Instruments.Groups()) == 0 {
		return
	}
	for _, id := range c.Parties.Values()[len(c.partyGroups):] {
		c.partyGroups = append(c.partyGroups, c.Instruments.GroupsOfParty(id))
	}
	for _, id := range c.Markets.Values()[len(c.marketGroups):] {
		c.marketGroups = append(c.marketGroups, c.Instruments.GroupsOfMarket(id))
	}
}

// Updated returns the entry of a row, without its rank, as it will be when the row is set to p.
func (c *Encoder) Updated(e Entry, p *model.Position) Entry {
	return e.withCodes(e.Party(), e.Market(), c.statusCode(p.Status(), p.StatusName), model.SideOf(p.Number(model.OpenVolume)))
}

// statusCode returns the code of a status with a name, and noStatusCode if there are too many statuses.
func (c *Encoder) statusCode(s model.Status, name func() string) uint32 {
	if 0 <= s && s < cachedStatuses {
		if c.statusCodes[s] == 0 {
			c.statusCodes[s] = c.statusNamed(name()) + 1
		}
		return c.statusCodes[s] - 1
	}
	return c.statusNamed(name())
}

func (c *Encoder) statusNamed(name string) uint32 {
	if _, known := c.Statuses.Find(name); !known && len(c.Statuses.Values()) >= NoStatusCode {
		return NoStatusCode
	}
	return c.Statuses.Code(name)
}

// Key returns the party and the market of an entry.
func (c *Encoder) Key(e Entry) model.Key {
	return model.Key{Party: c.Parties.Values()[e.Party()], Market: c.Markets.Values()[e.Market()]}
}

// AssetOf returns the asset that the market of an entry settles in, zero if it is not known.
func (c *Encoder) AssetOf(e Entry) model.ID { return c.Assets.Values()[c.AssetCode(e)] }

// GroupsOf returns the own groups that the position of an entry is in.
func (c *Encoder) GroupsOf(e Entry) model.GroupSet {
	if len(c.Instruments.Groups()) == 0 {
		return 0
	}
	set := c.partyGroups[e.Party()] & c.marketGroups[e.Market()]
	if c.Instruments.HasGroupOfRows(set) {
		return c.Instruments.GroupsAmong(set, c.Key(e))
	}
	return set
}

// Keeps reports whether a flat position is kept.
func (c *Encoder) Keeps(e Entry) bool {
	return len(c.Kept) > 0 && e.Side() == model.Flat && c.Kept[c.Key(e)]
}

// FindMarginRecord finds the margin record of an entry by its key. It must be called when the row is new, and when a
// record of its party and market was stored. Each update of a row reads its record, and needs no search for that.
func (c *Encoder) FindMarginRecord(e Entry) {
	record := c.Book.Margins().NumberOf(c.Key(e), c.AssetOf(e))
	table := &c.tables[e.Table]
	if missing := int(e.Row) + 1 - len(table.marginRecords); missing > 0 {
		table.marginRecords = append(table.marginRecords, make([]uint32, missing)...)
	}
	table.marginRecords[e.Row] = record
}

// AssetCode returns the code of the settlement asset of the market of an entry.
func (c *Encoder) AssetCode(e Entry) uint32 { return c.assetCodes[e.Market()] }

// MarginRatio returns the margin ratio of an entry, and false if it has none.
func (c *Encoder) MarginRatio(e Entry) (model.MarginRatio, bool) {
	return c.RatioOf(e, c.Amount(e, model.UnrealisedPnl))
}

// RatioOf returns the margin ratio of an entry whose row has this profit, and false if it has none.
func (c *Encoder) RatioOf(e Entry, profit model.Amount) (model.MarginRatio, bool) {
	if e.Side() == model.Flat {
		return model.MarginRatio{}, false
	}
	ratio, ok := c.ratioWith(e, profit)
	if !ok {
		return model.MarginRatio{}, false
	}
	return c.InUnit(ratio, c.AssetOf(e))
}

// InUnit returns a ratio of amounts of an asset in one unit: see MarginRatio.In. Most ratios are of integers.
func (c *Encoder) InUnit(ratio model.MarginRatio, asset model.ID) (model.MarginRatio, bool) {
	if ratio.IsInUnit() {
		return ratio, true
	}
	return ratio.In(c.Instruments.Asset(asset).Decimals)
}

// RatioOfPosition returns the margin ratio of a position of the book.
func (c *Encoder) RatioOfPosition(p *model.Position) (model.MarginRatio, bool) {
	asset := c.Instruments.Market(p.Market).Asset
	ratio, ok := c.Book.RatioOf(p, asset)
	if !ok {
		return model.MarginRatio{}, false
	}
	return c.InUnit(ratio, asset)
}

// Covered counts the entries of open positions that have a margin record.
func (c *Encoder) Covered(entries ...Entry) int {
	n := 0
	for _, e := range entries {
		if e.Open() == 1 && c.MarginRecord(e) != 0 {
			n++
		}
	}
	return n
}

// IsOther reports whether the baseline that was taken does not cover the row of an entry.
func (c *Encoder) IsOther(e Entry) bool {
	_, isCovered := c.Taken(e)
	return !isCovered && c.Book.Baselines().HasTaken()
}

// Taken returns the row of an entry in the baseline that was taken, and false if there is none.
func (c *Encoder) Taken(e Entry) (book.BaselineRow, bool) {
	if !c.Book.Baselines().HasTaken() {
		return book.BaselineRow{}, false
	}
	return c.Book.Baselines().Current().Row(c.Key(e))
}

// Matching returns the rows with an entry whose number in a field meets a condition, by table. meets gets the code of
// the market, too. No change must be pending.
func (c *Encoder) Matching(f model.Field, meets func(a model.Amount, market uint32) bool) []model.RowSet {
	sets := make([]model.RowSet, len(c.tables))
	for i, table := range c.tables {
		if table.rows == nil {
			continue
		}
		sets[i] = book.NewRowSet(table.rows)
		for number := range table.rows.AllNumbers {
			_, code := table.rows.Codes(number)
			if market, ok := c.codes[i].markets.known(code); ok && meets(table.rows.Amount(number, f), market) {
				sets[i].Add(number)
			}
		}
	}
	return sets
}

// translation is the codes that the values of one dictionary have in another one, by the code in the first.
type translation []uint32 // 1 + the code; 0 if it was not looked up yet

// code returns the code in the dictionary to of the value with a code in the dictionary from. It adds the value if
// it is new in to.
func (t *translation) code(code uint32, from, to *model.Dictionary[model.ID]) uint32 {
	if int(code) >= len(*t) {
		*t = append(*t, make([]uint32, len(from.Values())-len(*t))...)
	}
	if (*t)[code] == 0 {
		(*t)[code] = 1 + to.Code(from.Values()[code])
	}
	return (*t)[code] - 1
}

// known returns the code for a code that was looked up before, and false for others.
func (t translation) known(code uint32) (uint32, bool) {
	if int(code) >= len(t) || t[code] == 0 {
		return 0, false
	}
	return t[code] - 1, true
}

// recode replaces the codes that t translates to by new ones.
func (t translation) recode(newCodes []uint32) {
	for i, code := range t {
		if code != 0 {
			t[i] = 1 + newCodes[code-1]
		}
	}
}
