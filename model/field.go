package model

// Field is one of the numbers of a position. What each is, is an entry of the table fields.
type Field uint8

// The numbers of a position, all integers, in the order in which a person reads them. The open volume is positive for a
// long position. The time is in nanoseconds since the Unix epoch.
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
	inNanoseconds
)

// fields describes every number of a position.
var fields = [FieldCount]struct {
	name     string // in the interface of the service
	key      string // among the columns of the screen and of what is printed
	filter   string // in filters; empty if filters do not compare it as a number
	counted  counted
	isSummed bool // there are totals of it
}{
	OpenVolume:              {"openVolume", "size", "size", inSizeDecimals, false},
	AverageEntryPrice:       {"averageEntryPrice", "entry", "entry", inPriceDecimals, false},
	UnrealisedPnl:           {"unrealisedPnl", "unrealised", "upnl", inAsset, true},
	RealisedPnl:             {"realisedPnl", "realised", "rpnl", inAsset, true},
	LossSocialisationAmount: {"lossSocialisationAmount", "loss", "", inAsset, false},
	UpdatedAt:               {"updatedAt", "updated", "", inNanoseconds, false},
}

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

// IsSummed reports whether there are totals of the field.
func (f Field) IsSummed() bool { return fields[f].isSummed }
