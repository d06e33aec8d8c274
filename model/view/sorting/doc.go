// Package sorting has the rows of a book as entries, in an order. An entry has the parts of a row that are needed most
// often, next to each other in memory. It uses the values of package model and the rows of package book. It knows no
// view, no filter and no group.
//
//	rank, rank_ratio    integers that sort as the values of a column do, which make sorting fast
//	entry               the parts of one row
//	reader              reads the rows of entries, as they were before changes that are pending
//	encoder             makes entries
//	units               which numbers compare with each other
//	ordering, by_...    how rows compare, and their ranks: by a name, a number, a ratio, a figure, a distance
//	sorter, radix_sort  sort entries, and compare any two of them
package sorting
