package system

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
)

const (
	countedFor  = 10 * time.Second // for so long, equal lines are counted together
	maxLogBurst = 1000             // different lines in this time: 100 a second
)

// logTime is how the log writes a time, as log/slog does.
const logTime = "2006-01-02T15:04:05.000Z07:00"

// lineLimit decides which lines are written: of equal lines within countedFor the first and a count, and of different
// ones no more than maxLogBurst. A service decides how many lines there are.
type lineLimit struct {
	began time.Time
	lines []string         // in order
	equal map[string]int64 // of each of lines, how many equal ones were left out
	more  int64            // different lines that were left out
}

// next returns what is to be written for a line that comes now: the counts of the time that is over, and the line.
func (l *lineLimit) next(text string, now time.Time) []string {
	var out []string
	if now.Sub(l.began) >= countedFor || now.Before(l.began) {
		out = l.end(now)
		l.began, l.lines, l.equal = now, nil, make(map[string]int64)
	}
	_, isKnown := l.equal[text]
	switch {
	case isKnown:
		l.equal[text]++
	case len(l.lines) == maxLogBurst:
		l.more++
	default:
		l.lines, l.equal[text] = append(l.lines, text), 0
		out = append(out, stamped(now, text))
	}
	return out
}

// end returns the counts of the lines that were left out, and begins to count again.
func (l *lineLimit) end(now time.Time) []string {
	var out []string
	for _, line := range l.lines {
		if more := l.equal[line]; more > 0 {
			out = append(out, stamped(now, fmt.Sprintf("%s again=%q\n", strings.TrimSuffix(line, "\n"), l.words(more, now))))
			l.equal[line] = 0
		}
	}
	if l.more > 0 {
		out = append(out, stamped(now, fmt.Sprintf("level=WARN msg=%q\n", "too many lines for the log: "+l.words(l.more, now))))
		l.more = 0
	}
	return out
}

// words says how many lines were left out, and in which time.
func (l *lineLimit) words(more int64, now time.Time) string {
	took := min(now.Sub(l.began), countedFor).Round(time.Second)
	return fmt.Sprintf("… %s more in %s", model.AmountOf(more).Scaled(0, false), max(took, time.Second))
}

func stamped(now time.Time, text string) string { return "time=" + now.Format(logTime) + " " + text }
