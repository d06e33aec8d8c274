package model

import "slices"

// Field is one of the numbers of a position. What each is, is an entry of the table fields.
type Field uint8

// The numbers of a position, in the order in which a person reads them. The open volume is positive for a
// long position. The time is as the service wrote it: Amount.Time returns it.
const (
	OpenVolume Field = iota
	AverageEntryPrice
	UnrealisedPnl
	RealisedPnl
	LossSocialisationAmount
	UpdatedAt
	FieldCount
)

// counted is what a number is counted in.
type counted uint8

const (
	inSizeDecimals  counted = iota // of the market
	inPriceDecimals                // of the market
	inAsset                        // in which the market settles
	sinceEpoch
	withoutUnit // a plain number, such as a factor
	countedCount
)

// trait is what is true of some numbers and not of others.
type trait uint8

const (
	// isCompared is true of what a service also sends in its snapshots. Audits compare no other numbers.
	isCompared trait = 1 << iota
	hasSign          // a positive number is written with a plus
	hasColumn        // the screen has a column of it that is described by its entries in fields and in package columns alone
)

// fields describes every number of a position.
var fields = [FieldCount]struct {
	name    string // in the interface of the service
	key     string // among the columns of the screen and of what is printed
	filter  string // in filters; empty if filters do not compare it as a number
	counted counted
	traits  trait
}{
	OpenVolume:              {"openVolume", "size", "size", inSizeDecimals, isCompared | hasSign},
	AverageEntryPrice:       {"averageEntryPrice", "entry", "entry", inPriceDecimals, isCompared},
	UnrealisedPnl:           {"unrealisedPnl", "unrealised", "upnl", inAsset, isCompared | hasSign},
	RealisedPnl:             {"realisedPnl", "realised", "rpnl", inAsset, isCompared | hasSign},
	LossSocialisationAmount: {"lossSocialisationAmount", "loss", "", inAsset, isCompared},
	UpdatedAt:               {"updatedAt", "updated", "", sinceEpoch, isCompared},
}

// summed are the numbers that there are totals of. They are amounts of an asset.
var summed = [...]Field{UnrealisedPnl, RealisedPnl}

// SummedCount is how many numbers there are totals of.
const SummedCount = len(summed)

// Summed returns the numbers that there are totals of.
func Summed() [SummedCount]Field { return summed }

// Name returns the name of the field in the interface of the service, such as openVolume.
func (f Field) Name() string { return fields[f].name }

// Key returns the name of the field among the columns of the screen and of what is printed, such as size.
func (f Field) Key() string { return fields[f].key }

// FilterName returns the name of the field in filters, such as upnl; empty if filters do not compare it as a number.
func (f Field) FilterName() string { return fields[f].filter }

// FieldNames returns the names of all fields in the interface of the service.
func FieldNames() []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// IsCompared reports whether audits compare the field.
func (f Field) IsCompared() bool { return f.has(isCompared) }

// HasSign reports whether a positive number in the field is written with a plus.
func (f Field) HasSign() bool { return f.has(hasSign) }

// HasColumn reports whether the screen has a column of the field that needs no more than its name and its unit.
func (f Field) HasColumn() bool { return f.has(hasColumn) }

func (f Field) has(t trait) bool { return fields[f].traits&t != 0 }

// IsAmount reports whether the field is an amount of the asset in which the market settles.
func (f Field) IsAmount() bool { return fields[f].counted == inAsset }

// IsTime reports whether the field is a time in nanoseconds since the Unix epoch.
func (f Field) IsTime() bool { return fields[f].counted == sinceEpoch }

// IsSummed reports whether there are totals of the field.
func (f Field) IsSummed() bool { return slices.Contains(summed[:], f) }
