package format

import (
	"strings"

	"blotter/model"
	"blotter/model/analysis"
)

// PnLParts returns the parts of a change of PnL that are not 0, that of the price always; empty if nothing of it is
// split. What is not known of the change is not split any more: see analysis.Change.Known. The function write formats
// an amount of the asset, which has these decimals, with at most the given places.
func PnLParts(c *analysis.Change, decimals, places int, write func(model.Amount) string) string {
	price, trading, loss, other, unsplit := c.Price.Amount(decimals), c.Trading.Amount(decimals),
		c.Loss.Amount(decimals), c.Other.Amount(decimals), c.Unsplit.Amount(decimals)
	if c.IsUnsplit && price.IsZero() && trading.IsZero() && loss.IsZero() && other.IsZero() {
		return ""
	}
	estimate := write
	if bound := c.Bound.Sum(); !bound.IsZero() {
		by := bound.Amount(decimals)
		estimate = func(a model.Amount) string {
			known := min(model.Estimate{Amount: a, Bound: by}.KnownPlaces(decimals), places)
			text, _ := a.Rounded(decimals, known, true)
			return text
		}
	}
	parts := []string{"≈ price " + estimate(price)}
	if !trading.IsZero() {
		parts = append(parts, "≈ trading "+estimate(trading))
	}
	if !loss.IsZero() {
		parts = append(parts, "loss socialised "+write(loss))
	}
	if !other.IsZero() {
		parts = append(parts, "other (funding, fees…) "+write(other))
	}
	if c.IsUnsplit {
		parts = append(parts, "unexplained "+write(unsplit))
	}
	return strings.Join(parts, ", ")
}

// PnLOffsets says why what is not split of a change of PnL is larger than the change itself, or why another part is
// more than twice as large; empty if none is. The asset has these decimals.
func PnLOffsets(c *analysis.Change, decimals int) string {
	isLarger := func(sum, than *model.Sum) bool {
		return model.CompareMagnitudes(sum.Amount(decimals), than.Amount(decimals), decimals) > 0
	}
	total := c.Total()
	twice := total
	twice.AddSum(total)
	switch {
	case c.IsUnsplit && isLarger(&c.Unsplit, &total):
		return "unexplained: of positions that were closed or have no mark price; other parts offset it"
	case isLarger(&c.Price, &twice), isLarger(&c.Trading, &twice), isLarger(&c.Loss, &twice), isLarger(&c.Other, &twice):
		return "parts offset each other"
	}
	return ""
}

// PnLLeftOut returns how many positions a change of PnL leaves out, after a comma; empty if none.
func PnLLeftOut(c *analysis.Change) string {
	if c.LeftOut == 0 {
		return ""
	}
	return ", without " + Counted(c.LeftOut, "position") + " whose change is not known"
}
