package model

// MarginLevels is a margin record: the four levels that the service compares a party's margin in a market with, as
// unsigned integers in the asset's decimals. In isolated margin mode, search and release are 0: nothing is searched for
// or released. Each number is also in the lists of this file.
type MarginLevels struct {
	MarginKey
	Maintenance Amount // below this level the position is closed out
	Search      Amount // below this level more collateral is searched for
	Initial     Amount // needed to open a position
	Release     Amount // above this level collateral is released
	Timestamp   Amount // as the service wrote it: its method Time returns it
	MarginTexts
}

// MarginNumber is a number of a margin record. What each is, is an entry of the table marginNumbers.
type MarginNumber uint8

// The numbers of a margin record.
const (
	MaintenanceMargin MarginNumber = iota
	SearchLevel
	InitialMargin
	ReleaseLevel
	MarginTimestamp
	MarginNumberCount
)

var marginNumbers = [MarginNumberCount]struct {
	name    string // in the interface of the service
	key     string // among the columns of what is printed, and of orders
	counted counted
}{
	MaintenanceMargin: {"maintenanceMargin", "maintenance", inAsset},
	SearchLevel:       {"searchLevel", "search", inAsset},
	InitialMargin:     {"initialMargin", "initial", inAsset},
	ReleaseLevel:      {"collateralReleaseLevel", "release", inAsset},
	MarginTimestamp:   {"timestamp", "recorded", sinceEpoch},
}

func (l *MarginLevels) numbers() [MarginNumberCount]*Amount {
	return [...]*Amount{
		MaintenanceMargin: &l.Maintenance,
		SearchLevel:       &l.Search,
		InitialMargin:     &l.Initial,
		ReleaseLevel:      &l.Release,
		MarginTimestamp:   &l.Timestamp,
	}
}

// Name returns the name of the field in the interface of the service, such as maintenanceMargin.
func (n MarginNumber) Name() string { return marginNumbers[n].name }

// Key returns the name of the field among the columns of what is printed, such as maintenance.
func (n MarginNumber) Key() string { return marginNumbers[n].key }

// IsTime reports whether the number is in nanoseconds since the Unix epoch; else it is an amount of the asset.
func (n MarginNumber) IsTime() bool { return marginNumbers[n].counted == sinceEpoch }

// MarginNumberNamed returns the number that has a name in the interface of the service, and false if none has.
func MarginNumberNamed(name string) (MarginNumber, bool) {
	for n := range MarginNumberCount {
		if marginNumbers[n].name == name {
			return n, true
		}
	}
	return 0, false
}

// MarginFieldNames returns the names of all numbers and texts in the interface of the service.
func MarginFieldNames() []string {
	var names []string
	for _, n := range marginNumbers {
		names = append(names, n.name)
	}
	for _, t := range marginTexts {
		names = append(names, t.name)
	}
	return names
}

// Number returns a number of a margin record.
func (l *MarginLevels) Number(n MarginNumber) Amount { return *l.numbers()[n] }

// SetNumber sets a number of a margin record.
func (l *MarginLevels) SetNumber(n MarginNumber, a Amount) { *l.numbers()[n] = a }

// MarginText is a field of a margin record that is kept as the service wrote it. What each is, is an entry of the table
// marginTexts.
type MarginText uint8

// The texts of a margin record. The mode is a name such as MARGIN_MODE_ISOLATED_MARGIN, the factor a decimal number,
// and the order margin an amount in the asset's decimals.
const (
	MarginMode MarginText = iota
	MarginFactor
	OrderMargin
	MarginTextCount
)

var marginTexts = [MarginTextCount]struct {
	name     string // in the interface of the service
	key      string // among the columns of what is printed
	isAmount bool   // in the decimals of the asset
}{
	MarginMode:   {"marginMode", "mode", false},
	MarginFactor: {"marginFactor", "factor", false},
	OrderMargin:  {"orderMargin", "orders", true},
}

// Name returns the name of the field in the interface of the service, such as marginMode.
func (t MarginText) Name() string { return marginTexts[t].name }

// Key returns the name of the field among the columns of what is printed, such as mode.
func (t MarginText) Key() string { return marginTexts[t].key }

// IsAmount reports whether the text is an amount in the decimals of the asset.
func (t MarginText) IsAmount() bool { return marginTexts[t].isAmount }

// MarginTextNamed returns the text that has a name in the interface of the service, and false if none has.
func MarginTextNamed(name string) (MarginText, bool) {
	for t := range MarginTextCount {
		if marginTexts[t].name == name {
			return t, true
		}
	}
	return 0, false
}

// MarginTexts are the texts of a margin record. One is empty if the service did not send it.
type MarginTexts [MarginTextCount]string

// marginModes are the names of the margin modes in the interface of the service, by their numbers, and their words.
var marginModes = [...]struct{ name, word string }{
	{"MARGIN_MODE_UNSPECIFIED", "unspecified"},
	{"MARGIN_MODE_CROSS_MARGIN", usualMode},
	{"MARGIN_MODE_ISOLATED_MARGIN", isolatedMode},
}

// The words of the margin modes. A position has the usual one unless its party has chosen the other.
const (
	usualMode    = "cross"
	isolatedMode = "isolated"
)

// IsUsual reports whether a text is the usual one: the service did not send it, it is 0, or the mode is cross.
func (t *MarginTexts) IsUsual(of MarginText) bool {
	if of == MarginMode {
		return t[of] == "" || t.ModeWord() == usualMode
	}
	return t[of] == "" || ParseAmount(t[of]).IsZero()
}

// ModeWord returns the margin mode in a word, such as isolated. It returns the text of the service for a mode that is
// not known, and an empty one if the service did not send the mode.
func (t *MarginTexts) ModeWord() string {
	for number, mode := range marginModes {
		if text := t[MarginMode]; text == mode.name || text == string('0'+rune(number)) {
			return mode.word
		}
	}
	return t[MarginMode]
}
