package wording

import (
	"strings"

	"blotter/model"
	"blotter/model/analysis"
)

// PnLParts returns the parts of a change of PnL that are not 0, that of the price always; empty if nothing of it is
// split. The function write formats an amount of the asset.
func PnLParts(c *analysis.Change, write func(model.Amount) string) string {
	price, trading, loss, other, unsplit := c.Price.Amount(), c.Trading.Amount(), c.Loss.Amount(), c.Other.Amount(), c.Unsplit.Amount()
	if c.IsUnsplit && price.IsZero() && trading.IsZero() && loss.IsZero() && other.IsZero() {
		return ""
	}
	parts := []string{"≈ price " + write(price)}
	if !trading.IsZero() {
		parts = append(parts, "≈ trading "+write(trading))
	}
	if !loss.IsZero() {
		parts = append(parts, "loss socialised "+write(loss))
	}
	if !other.IsZero() {
		parts = append(parts, "other (funding, fees…) "+write(other))
	}
	if c.IsUnsplit {
		parts = append(parts, "not split "+write(unsplit))
	}
	return strings.Join(parts, ", ")
}

// PnLLeftOut returns how many positions a change of PnL leaves out, after a comma; empty if none.
func PnLLeftOut(c *analysis.Change) string {
	if c.LeftOut == 0 {
		return ""
	}
	return ", without " + Counted(c.LeftOut, "position") + " whose change is not known"
}
