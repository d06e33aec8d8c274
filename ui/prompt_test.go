package ui

import "testing"

func TestFieldsOfAFilterAreTold(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.sees("/  words, or party: market: asset: side: status:", "6 rows of 10  esc clears")
		s.write("size:1")
		s.sees(`Nothing matches "size:1". Esc clears the filter.`, "size: is no field. There are party: market: asset: side: status:")
		s.press("esc", "/")
		s.write("xrp")
		s.seesNot("is no field")
	})
}
