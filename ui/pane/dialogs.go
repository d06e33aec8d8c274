package pane

import "blotter/model"

// Open opens a dialog over the panes.
type Open struct {
	effect
	Dialog Dialog
}

// Dialog tells the shell which dialog to open, and what it is about. Each dialog has a type of its own.
type Dialog interface{ isDialog() }

// IsDialog is embedded in each Dialog.
type IsDialog struct{}

func (IsDialog) isDialog() {}

// The dialogs that panes open. Those that only keys of the shell open are types of package ui.
type (
	// FilterDialog is the line in which a filter of the positions is typed.
	FilterDialog struct{ IsDialog }

	// EventFilterDialog is the line in which a filter of the events is typed.
	EventFilterDialog struct{ IsDialog }

	// OrderDialog chooses the order of the positions.
	OrderDialog struct{ IsDialog }

	// NamesDialog gives names and decimals.
	NamesDialog struct {
		IsDialog
		Named
		Then []Named // what gets names after it, each in a dialog of its own
	}

	// RuleDialog makes or changes a rule for alerts.
	RuleDialog struct {
		IsDialog
		Place int // of the rule that is changed; that of a new rule is after all others
	}

	// GroupDialog is the line in which the name of a group of positions is typed.
	GroupDialog struct {
		IsDialog
		Positions []model.Key
	}

	// BaselineDialog asks what to do with a baseline.
	BaselineDialog struct{ IsDialog }

	// WhatIfDialog is the line in which a change of mark prices is typed.
	WhatIfDialog struct{ IsDialog }

	// TimeDialog is the line in which a time of the past is typed.
	TimeDialog struct{ IsDialog }

	// SaveDialog is the line in which the file is typed that something is saved to.
	SaveDialog struct {
		IsDialog
		Path string // at first
		What string // such as the past
		// Save saves it, and returns what is said then. It may block.
		Save func(path string) (words string, err error)
		// Copy copies it in place of that, if *IsCopied; nil if it cannot be copied. Without files, WhyNoFile says why.
		Copy      Change
		IsCopied  *bool
		WhyNoFile string
	}

	// FileDialog is the line in which the file is typed that a text is saved to, or in which it is copied.
	FileDialog struct {
		IsDialog
		Name, What string // the name that is offered, and what the text is
		// Write returns the text, and what it is, perhaps with more words than before. A command calls it. It is nil if
		// no file can be written of what is shown.
		Write    func() (what string, text []byte, err error)
		Copy     Change // copies the text in place of that, if *IsCopied
		IsCopied *bool  // the choice of last time
	}

	// SearchDialog is the line in which a text is typed that is searched in a page.
	SearchDialog struct {
		IsDialog
		Page *Page
	}
)

// Named is what gets names.
type Named struct {
	model.MarginKey        // the party, the market and the asset; one that is zero gets no name
	Title           string // its name now
	IsGroup         bool   // it is the heading of a group
	// Record returns the margin record that is named, as it is now, or nil if it is no longer on the page. Without the
	// function, a position is named.
	Record func() *model.MarginLevels
}
