package draw

import "strings"

// numbers are where a text has numbers: the first byte of each, and the one after it. A letter such as the k of 100k
// belongs to its number.
type numbers [][2]int

func numbersIn(text string) (all numbers) {
	isDigit := func(i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
	for at := 0; at < len(text); {
		if !isDigit(at) {
			at++
			continue
		}
		end := at + 1
		for isDigit(end) || end < len(text) && strings.IndexByte(".,", text[end]) >= 0 && isDigit(end+1) {
			end++
		}
		if end < len(text) && strings.IndexByte("kKmMbB%", text[end]) >= 0 && !(end+1 < len(text) && isWordByte(text[end+1])) {
			end++
		}
		all = append(all, [2]int{at, end})
		at = end
	}
	return all
}

func isWordByte(c byte) bool {
	return c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// before returns a place in the text, or the beginning of the number that it is in.
func (n numbers) before(place int) int {
	for _, number := range n {
		if number[0] < place && place < number[1] {
			return number[0]
		}
	}
	return place
}

// after returns a place in the text, or the end of the number that it is in.
func (n numbers) after(place int) int {
	for _, number := range n {
		if number[0] < place && place < number[1] {
			return number[1]
		}
	}
	return place
}

// wholeEnds returns the ends of a text that fit beside … in a width, without a part of a number: those that have the
// most cells, and of these the ones that are most alike in length. If each end would be empty, it cuts numbers.
func (n numbers) wholeEnds(text string, full, width int) (begin, end string) {
	most, unlike := 0, 0
	for first := range width {
		b, e := ends(text, full, first, width-1-first)
		b, e = text[:n.before(len(b))], text[n.after(len(text)-len(e)):]
		cells, difference := Width(b)+Width(e), max(Width(b)-Width(e), Width(e)-Width(b))
		if cells > most || cells == most && cells > 0 && difference < unlike {
			begin, end, most, unlike = b, e, cells, difference
		}
	}
	if most == 0 {
		return ends(text, full, width/2, width-1-width/2)
	}
	return begin, end
}

// CutWhole shortens a text that is wider than a width as Cut does, without a part of a number before the …, unless that
// would leave nothing.
func CutWhole(text string, width int) string {
	cut := Cut(text, width)
	kept, isCut := strings.CutSuffix(cut, "…")
	if !isCut || !strings.HasPrefix(text, kept) {
		return cut
	}
	if whole := numbersIn(text).before(len(kept)); whole > 0 {
		return text[:whole] + "…"
	}
	return cut
}

// WholeBeginning returns the beginning of a text up to a place, or up to the number that the place is in.
func WholeBeginning(text string, place int) string { return text[:numbersIn(text).before(place)] }
