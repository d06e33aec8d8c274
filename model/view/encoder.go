package view

import (
	"blotter/model"
	"blotter/model/book"
)

// encoder makes the entries of a view, and reads their rows. It has a dictionary for each kind of text, so that a
// property of a text (does it match the filter?) is computed once and found in a slice by the text's code.
type encoder struct {
	reader
	instruments *model.Instruments
	codes       []tableCodes // by the number of the table
	parties     model.Dictionary[model.ID]
	markets     model.Dictionary[model.ID]
	assets      model.Dictionary[model.ID]
	statuses    model.Dictionary[string]
	statusCodes [cachedStatuses]uint32 // 1 + the code of each of these statuses; 0 if it has none yet
	assetCodes  []uint32               // the code of a market's settlement asset, by the code of the market
	assetOrder  []model.ID             // the assets of all markets, as an order by amounts has them: see orderAssets
	kept        map[model.Key]bool     // see Kept
	// The own groups of parties and of markets, by their codes; none if there are no own groups.
	partyGroups, marketGroups []model.GroupSet
}

// tableCodes are the codes in the view for the codes in a table of the book.
type tableCodes struct{ parties, markets translation }

func newEncoder(b *book.Book, instruments *model.Instruments, kept map[model.Key]bool) *encoder {
	return &encoder{reader: reader{book: b}, instruments: instruments, kept: kept}
}

// entry returns the entry of a row, without its rank.
func (c *encoder) entry(t *book.Table, number uint32) entry {
	for int(t.Number()) >= len(c.tables) {
		c.tables, c.codes = append(c.tables, readTable{}), append(c.codes, tableCodes{})
	}
	table, codes, rows := &c.tables[t.Number()], &c.codes[t.Number()], t.Rows()
	if table.rows == nil {
		table.rows = rows
	}
	party, market := rows.Codes(number)
	party = codes.parties.code(party, rows.Parties(), &c.parties)
	market = codes.markets.code(market, rows.Markets(), &c.markets)
	c.encodeNew()
	e := entry{table: t.Number(), row: number}
	status := c.statusCode(c.status(e), func() string { return c.statusName(e) })
	return e.withCodes(party, market, status, model.SideOf(c.amount(e, model.OpenVolume)))
}

// entries returns the entries of all rows of its book that are in scope, without their ranks. It may be called once,
// first. After it the codes of parties and markets are in the order of their labels; those of later ones are not.
func (c *encoder) entries(scope *model.Scope) []entry {
	entries := make([]entry, 0, c.book.Len())
	for t, number := range c.book.AllRows {
		if scope.Covers(t.Rows().Key(number)) {
			entries = append(entries, c.entry(t, number))
		}
	}
	parties, markets := c.parties.Sort(c.instruments.CompareParties), c.markets.Sort(c.instruments.CompareMarkets)
	for i, e := range entries {
		entries[i] = e.withCodes(parties[e.party()], markets[e.market()], e.status(), e.side())
	}
	for _, codes := range c.codes {
		codes.parties.recode(parties)
		codes.markets.recode(markets)
	}
	c.assetCodes, c.partyGroups, c.marketGroups = c.assetCodes[:0], c.partyGroups[:0], c.marketGroups[:0]
	c.encodeNew()
	if c.book.Margins().Len() > 0 {
		for _, e := range entries {
			c.findMarginRecord(e)
		}
	}
	return entries
}

// encodeNew adds the settlement assets of new markets, and the own groups of new parties and markets.
func (c *encoder) encodeNew() {
	for _, id := range c.markets.Values()[len(c.assetCodes):] {
		c.assetCodes = append(c.assetCodes, c.assets.Code(c.instruments.Market(id).Asset))
	}
	if len(c.instruments.Groups()) == 0 {
		return
	}
	for _, id := range c.parties.Values()[len(c.partyGroups):] {
		c.partyGroups = append(c.partyGroups, c.instruments.GroupsOfParty(id))
	}
	for _, id := range c.markets.Values()[len(c.marketGroups):] {
		c.marketGroups = append(c.marketGroups, c.instruments.GroupsOfMarket(id))
	}
}

// updated returns the entry of a row, without its rank, as it will be when the row is set to p.
func (c *encoder) updated(e entry, p *model.Position) entry {
	return e.withCodes(e.party(), e.market(), c.statusCode(p.Status(), p.StatusName), model.SideOf(p.Number(model.OpenVolume)))
}

// statusCode returns the code of a status with a name, and noStatusCode if there are too many statuses.
func (c *encoder) statusCode(s model.Status, name func() string) uint32 {
	if 0 <= s && s < cachedStatuses {
		if c.statusCodes[s] == 0 {
			c.statusCodes[s] = c.statusNamed(name()) + 1
		}
		return c.statusCodes[s] - 1
	}
	return c.statusNamed(name())
}

func (c *encoder) statusNamed(name string) uint32 {
	if _, known := c.statuses.Find(name); !known && len(c.statuses.Values()) >= noStatusCode {
		return noStatusCode
	}
	return c.statuses.Code(name)
}

func (c *encoder) key(e entry) model.Key {
	return model.Key{Party: c.parties.Values()[e.party()], Market: c.markets.Values()[e.market()]}
}

// assetOf returns the asset that the market of an entry settles in, zero if it is not known.
func (c *encoder) assetOf(e entry) model.ID { return c.assets.Values()[c.assetCode(e)] }

// groupsOf returns the own groups that the position of an entry is in.
func (c *encoder) groupsOf(e entry) model.GroupSet {
	if len(c.instruments.Groups()) == 0 {
		return 0
	}
	set := c.partyGroups[e.party()] & c.marketGroups[e.market()]
	if c.instruments.HasGroupOfRows(set) {
		return c.instruments.GroupsAmong(set, c.key(e))
	}
	return set
}

// keeps reports whether a flat position is kept.
func (c *encoder) keeps(e entry) bool {
	return len(c.kept) > 0 && e.side() == model.Flat && c.kept[c.key(e)]
}

// findMarginRecord finds the margin record of an entry by its key. It must be called when the row is new, and when a
// record of its party and market was stored. Each update of a row reads its record, and needs no search for that.
func (c *encoder) findMarginRecord(e entry) {
	record := c.book.Margins().NumberOf(c.key(e), c.assetOf(e))
	table := &c.tables[e.table]
	if missing := int(e.row) + 1 - len(table.marginRecords); missing > 0 {
		table.marginRecords = append(table.marginRecords, make([]uint32, missing)...)
	}
	table.marginRecords[e.row] = record
}

// assetCode returns the code of the settlement asset of the market of an entry.
func (c *encoder) assetCode(e entry) uint32 { return c.assetCodes[e.market()] }

// marginRatio returns the margin ratio of an entry, and false if it has none.
func (c *encoder) marginRatio(e entry) (model.MarginRatio, bool) {
	return c.ratioOf(e, c.amount(e, model.UnrealisedPnl))
}

// ratioOf returns the margin ratio of an entry whose row has this profit, and false if it has none.
func (c *encoder) ratioOf(e entry, profit model.Amount) (model.MarginRatio, bool) {
	if e.side() == model.Flat {
		return model.MarginRatio{}, false
	}
	ratio, ok := c.ratioWith(e, profit)
	if !ok {
		return model.MarginRatio{}, false
	}
	return c.inUnit(ratio, c.assetOf(e))
}

// inUnit returns a ratio of amounts of an asset in one unit: see MarginRatio.In. Most ratios are of integers.
func (c *encoder) inUnit(ratio model.MarginRatio, asset model.ID) (model.MarginRatio, bool) {
	if ratio.IsInUnit() {
		return ratio, true
	}
	return ratio.In(c.instruments.Asset(asset).Decimals)
}

// ratioOfPosition returns the margin ratio of a position of the book.
func (c *encoder) ratioOfPosition(p *model.Position) (model.MarginRatio, bool) {
	asset := c.instruments.Market(p.Market).Asset
	ratio, ok := c.book.RatioOf(p, asset)
	if !ok {
		return model.MarginRatio{}, false
	}
	return c.inUnit(ratio, asset)
}

// covered counts the entries of open positions that have a margin record.
func (c *encoder) covered(entries ...entry) int {
	n := 0
	for _, e := range entries {
		if e.open() == 1 && c.marginRecord(e) != 0 {
			n++
		}
	}
	return n
}

// isOther reports whether the baseline that was taken does not cover the row of an entry.
func (c *encoder) isOther(e entry) bool {
	_, isCovered := c.taken(e)
	return !isCovered && c.book.Baselines().HasTaken()
}

// taken returns the row of an entry in the baseline that was taken, and false if there is none.
func (c *encoder) taken(e entry) (book.BaselineRow, bool) {
	if !c.book.Baselines().HasTaken() {
		return book.BaselineRow{}, false
	}
	return c.book.Baselines().Current().Row(c.key(e))
}

// matching returns the rows of the tables that match, by table. Their entries have no more than the code of the market.
func (c *encoder) matching(matches func(entry) bool) []model.RowSet {
	sets := make([]model.RowSet, len(c.tables))
	for i, table := range c.tables {
		if table.rows == nil {
			continue
		}
		sets[i] = book.NewRowSet(table.rows)
		for number := range table.rows.AllNumbers {
			_, code := table.rows.Codes(number)
			market, ok := c.codes[i].markets.known(code)
			if ok && matches(entry{table: uint32(i), row: number}.withCodes(0, market, 0, 0)) {
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
