package analysis

import (
	"slices"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
)

func groupName(id model.ID) string {
	if id.IsZero() {
		return columns.InNoGroup
	}
	return format.OneLine(id.String())
}

// sharedLines say that positions count in several own groups.
func (p *content) sharedLines(width int) []string {
	if p.survey.Shared == 0 {
		return nil
	}
	return []string{draw.Text(width, p.styles.Dim, " "+format.Counted(p.survey.Shared,
		"position")+" in several groups: in each of them, once in the total")}
}

// matrixRows returns the exposures of the rows: of parties, or of own groups if there are any. What is in no own group
// has no row.
func (p *content) matrixRows() []analysis.Exposure {
	m := &p.chosen.matrix
	own := slices.DeleteFunc(slices.Clone(p.survey.OwnGroups), func(e analysis.Exposure) bool { return e.ID.IsZero() })
	if m.byOwn && len(own) == 0 {
		*m = matrix{number: m.number}
	}
	if m.byOwn {
		return own
	}
	return p.survey.Parties
}

// rowName is the name of a party, or of an own group.
func (p *content) rowName(id model.ID) string {
	if p.chosen.matrix.byOwn {
		return groupName(id)
	}
	return p.format.Party(id)
}

// ownCell is the number of the positions of an own group in a market.
func (p *content) ownCell(group, market model.ID) draw.Cell {
	e, ok := p.survey.OwnCell(group, market)
	if !ok {
		return draw.Cell{Text: "·", Style: p.styles.Dim, Words: true}
	}
	if p.chosen.matrix.number == matrixSize {
		return p.sizeCell(e.NetSize, market)
	}
	return p.matrixTotal(&e)
}
