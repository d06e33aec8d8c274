package view

import (
	"blotter/model"
)

// visibility is whether a view shows a row, and if not, why.
type visibility uint8

const (
	shown visibility = iota
	hiddenAsClosed
	filteredOut
	visibilities
)

// visibilityRules are the visibility of a row, by whether the terms match (0 or 1) and by side.
type visibilityRules [2][model.SideCount]visibility

func (r *visibilityRules) of(matches bool, side model.Side) visibility {
	if matches {
		return r[1][side]
	}
	return r[0][side]
}

// lines returns how many lines of the table a row takes.
func (v visibility) lines() int {
	if v == shown {
		return 1
	}
	return 0
}
