package command

import (
	"reflect"
)

// suggestion is the words about the setting that was perhaps meant by a key that is none.
func suggestion(key []string) string {
	section := reflect.TypeFor[fileConfig]()
	for _, part := range key[:len(key)-1] {
		field, ok := fieldOf(section, part)
		if !ok {
			return ""
		}
		section = field.Type
	}
	wrong, nearest := key[len(key)-1], ""
	least := len(wrong)/3 + 2
	for field := range fieldsOf(section) {
		name := field.Tag.Get("toml")
		if d := distance(wrong, name); d < least {
			nearest, least = name, d
		}
	}
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// distance is how many letters have to be put in, left out or replaced to make one word of the other.
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
