package model

// translation is the codes that the values of one dictionary have in another one, by the code in the first.
type translation []uint32 // 1 + the code; 0 where it was not looked up yet

// code returns the code in the dictionary to of the value with a code in the dictionary from. It adds the value where
// it is new in to.
func (t *translation) code(code uint32, from, to *dictionary[ID]) uint32 {
	if int(code) >= len(*t) {
		*t = append(*t, make([]uint32, len(from.all())-len(*t))...)
	}
	if (*t)[code] == 0 {
		(*t)[code] = 1 + to.code(from.all()[code])
	}
	return (*t)[code] - 1
}

// known returns the code for one that was looked up before, and false for others.
func (t translation) known(code uint32) (uint32, bool) {
	if int(code) >= len(t) || t[code] == 0 {
		return 0, false
	}
	return t[code] - 1, true
}

// recode replaces the codes that t translates to by new ones.
func (t translation) recode(newCodes []uint32) {
	for i, code := range t {
		if code != 0 {
			t[i] = 1 + newCodes[code-1]
		}
	}
}
