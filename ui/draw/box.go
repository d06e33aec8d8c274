package draw

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Box draws lines in a border with rounded corners, on the given number of lines, of a width. In its upper side is the
// title and, at the right, the first of the notes for which there is room; in the lower one a text at the right. The
// borders of Lip Gloss have no texts, so only their characters are used.
func Box(width, height int, titles, sides Style, title string, notes []string, foot string, lines []string) []string {
	const corners = 2
	border, inside := lipgloss.RoundedBorder(), width-corners
	side := string(sides) + border.Left + Reset
	box := []string{string(sides) + border.TopLeft + Reset + Rule(inside, titles, sides, title, notes...) +
		string(sides) + border.TopRight + Reset}
	for _, line := range Fit(lines, height-corners) {
		box = append(box, side+line+strings.Repeat(" ", max(inside-Width(line), 0))+side)
	}
	if foot = FirstThatFits(inside-corners-1, foot); foot != "" {
		foot = " " + foot + " " + border.Bottom
	}
	return append(box, Text(width, sides, border.BottomLeft+strings.Repeat(border.Bottom, max(inside-Width(foot), 0))+
		foot+border.BottomRight))
}
