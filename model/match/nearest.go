package match

import "slices"

// Suggestion returns the end of an error that asks whether the nearest known name was meant; empty if no name is near.
func Suggestion(mistyped string, known []string) string {
	nearest := Nearest(mistyped, known)
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// shortest is how many letters a name that is inside another has at least: fewer are inside many.
const shortest = 3

// Nearest returns the known name with the smallest edit distance to a mistyped one, if that is small, or else the first
// name that has it inside; empty if there is none.
func Nearest(mistyped string, known []string) string {
	nearest, least := "", len(mistyped)/3+2
	for _, name := range known {
		if d := distance(name, mistyped); d < least {
			nearest, least = name, d
		}
	}
	if nearest != "" || len(mistyped) < shortest {
		return nearest
	}
	if i := slices.IndexFunc(known, func(name string) bool { return Of(name, mistyped) >= Inside }); i >= 0 {
		return known[i]
	}
	return ""
}

// distance returns how many letters have to be inserted, deleted or replaced to make one word the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
