package format

import "blotter/model"

// fieldWords are the names of the numbers of a position in facts and messages. Titles of columns are shorter, and in
// package columns.
var fieldWords = [model.FieldCount]string{
	model.OpenVolume:              "size",
	model.AverageEntryPrice:       "entry price",
	model.UnrealisedPnl:           "uPnL",
	model.RealisedPnl:             "rPnL",
	model.LossSocialisationAmount: "loss socialised",
	model.UpdatedAt:               "updated",
}

// FieldWords returns the name of a number of a position in facts and messages, such as entry price.
func FieldWords(f model.Field) string { return fieldWords[f] }
