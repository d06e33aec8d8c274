package alerts

import (
	"fmt"
	"strings"
	"time"

	"blotter/ui/format"
)

// The bounds of how long a condition must last, and of when an alert is reported again: not before its command must
// have ended.
const (
	ShortestFor   = time.Second
	ShortestAgain = 10 * time.Second
	LongestTime   = 24 * time.Hour
)

// The texts of For and Again of a rule that is made on the screen, unless the trader changes them. After a trade, a
// service can send a wrong PnL for about a second.
const (
	UsualFor   = "5s"
	UsualAgain = "15m"
)

// setTimes sets For and Again from texts, which are empty for none.
func (a *Rule) setTimes(lasts, again string) (err error) {
	if a.For, err = parseTime(lasts, ShortestFor, UsualFor); err != nil {
		return fmt.Errorf("for %w", err)
	}
	if a.Again, err = parseTime(again, ShortestAgain, UsualAgain); err != nil {
		return fmt.Errorf("again %w", err)
	}
	return nil
}

func parseTime(text string, shortest time.Duration, example string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < shortest || d > LongestTime {
		return 0, fmt.Errorf("must be a time from %s to %s, such as %s, or empty", format.Duration(shortest),
			format.Duration(LongestTime), example)
	}
	return d, nil
}

// timeText returns a time as it is typed; empty if it is 0.
func timeText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return format.Duration(d)
}

// Details returns what a rule says besides its condition: for how long that must last, when it clears, and when it is
// reported again.
func (a *Rule) Details() string {
	var words []string
	if a.For > 0 {
		words = append(words, "for "+format.Duration(a.For))
	}
	if a.ClearText != "" {
		words = append(words, "clear "+format.OneLine(a.ClearText))
	}
	if a.Again > 0 {
		words = append(words, "again "+format.Duration(a.Again))
	}
	return strings.Join(words, ", ")
}

// Texts returns For and Again as they are typed.
func (a *Rule) Texts() (lasts, again string) { return timeText(a.For), timeText(a.Again) }
