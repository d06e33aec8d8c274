package modeltest

// Times returns how often a slow test repeats something: n with the build tag thorough, else a fifth of it, rounded up.
func Times(n int) int {
	if IsThorough {
		return n
	}
	return (n + 4) / 5
}
