package watch

import (
	"blotter/model"
	"blotter/model/book"
)

// rankedRow is a row with the codes of its party and its market, in the order of their texts.
type rankedRow struct {
	book.Row
	party, market uint32
}

// sortByKey sorts rows by party, then market. Their keys differ. It counts and does not compare, because a million
// positions have few parties and markets.
func sortByKey(rows []book.Row) {
	var parties, markets model.Dictionary[model.ID]
	ranked := make([]rankedRow, len(rows))
	for i, row := range rows {
		key := row.Key()
		ranked[i] = rankedRow{row, parties.Code(key.Party), markets.Code(key.Market)}
	}
	partyRanks, marketRanks := parties.Sort(model.ID.Compare), markets.Sort(model.ID.Compare)
	byMarket := byRank(ranked, len(marketRanks), func(r *rankedRow) uint32 { return marketRanks[r.market] })
	for i, r := range byRank(byMarket, len(partyRanks), func(r *rankedRow) uint32 { return partyRanks[r.party] }) {
		rows[i] = r.Row
	}
}

// byRank returns rows in the order of their ranks, which are less than ranks. Rows of the same rank stay in order.
func byRank(rows []rankedRow, ranks int, rank func(*rankedRow) uint32) []rankedRow {
	places := make([]int, ranks+1) // of the first row of each rank
	for i := range rows {
		places[rank(&rows[i])+1]++
	}
	for i := range ranks {
		places[i+1] += places[i]
	}
	sorted := make([]rankedRow, len(rows))
	for i := range rows {
		place := &places[rank(&rows[i])]
		sorted[*place] = rows[i]
		*place++
	}
	return sorted
}
