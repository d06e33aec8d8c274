// Package help is the text of the help page: all keys, and below them notes about the screen.
package help

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/pane"
)

// notes explain what the screen has no room to explain.
var notes = []string{
	"esc goes back step by step: it closes a page, leaves the full screen or a pane, clears the filter, and takes back groups or a " +
		"change of parties or markets. The first line shows the steps of scope and filter, the latest last.",
	"Filter: words that must all match the market or the party, by name or identifier; \"two words\", a|b for one of them, !word " +
		"excludes it. party:x, market:x, asset:x and status:x look only there; party:=x is the whole name. side:long, short or " +
		"flat. Comparisons in the units of the screen: size>0 upnl<-1.5k entry>=64,000 rpnl!=0 m%<-20 age>5m updated>14:02. " +
		"A number without known decimals is compared with 0 and with raw numbers: size>5r.",
	"Numbers: uPnL is unrealised, rPnL realised profit and loss. ~ in a heading: the numbers have more decimals, which enter " +
		"shows; +0.00 and -0.00 are not zero. raw in a heading, or r after a number: its decimals are not known, and it is the " +
		"integer that the service sent. ### is a number that is too wide for its cell; enter shows it. " +
		"Columns headed ≈ are estimates. Totals are of all positions in scope, whatever the filter hides. +2 assets: there is " +
		"no room for the totals of these; those with the most positions are shown.",
	"{session} shows the session: its PnL, totals since the program began, the largest changes of PnL since the baseline or else the first " +
		"snapshots, and the estimated net notional by market and party, of all positions in scope.",
	"A cell that has just changed is underlined for two seconds; uPnL and uPnL/MM, which move with each price, only if they had not " +
		"changed for ten seconds.",
	"{baseline} takes a baseline: ΔSIZE, ΔuPNL and ΔrPNL are the exact changes since then; new: the position did not exist. Sorted " +
		"by one of them without a baseline, rows count from their first snapshot. A stream that comes later counts from its own.",
	"Groups: {group} groups the rows by party, market or asset. A heading has the exact subtotals of the asset that most of its " +
		"positions settle in, of all that match the filter, closed ones included; uPnL/MM is their uPnL ÷ their maintenance margin, of those that have " +
		"margin levels. What is left out is shown beside. Sorted by uPnL, rPnL or uPnL/MM, groups are in the order of their subtotals, else in that " +
		"of their first rows: by trouble, the group with the worst row is first.",
	"LIVE: data within the last 10s. QUIET: no data lately; verified: the service has responded to a check; not verified: it " +
		"cannot be checked now. PARTIAL: the last page of the snapshot has not come, so rows may be missing. BEHIND: the node responds, but its data is old. STALE: may be out of date; such rows, and those a minute or more behind, are dim, " +
		"and marked ? if others are not stale. unaudited: not compared with a second stream yet. FROZEN: the rows wait, the state " +
		"beside it is that of the stream.",
	"{rewind} rewinds: the whole screen shows an earlier time, of the last hours that screen.rewind in the configuration keeps. " +
		"{rewind} again asks for a time, such as 9:00 or -5m. A baseline that is taken there stays: it shows what has changed since. " +
		"The service goes on unseen, and so do alerts. {back} goes back step by step; {rewind} {rewind} enter is live at once. " +
		"{save_past} saves what is kept to a file, which blotter replay plays.",
	"{what_if} asks what if, such as eth -5%: the screen shows what the positions would be worth if the mark price of the markets " +
		"was that much higher or lower. uPnL is then an estimate, and M% with it; the maintenance margin stays as recorded. " +
		"WHAT IF is in the place of the freshness, the rows do not change, nothing can be copied, and alerts go on by the live rows. {back} ends it.",
	"Alerts are set in the configuration. ! marks a row that has one, and the first line counts those that were not seen; " +
		"{next_alert} opens their page: the rules, and a log of begins and ends, with the cursor on the newest that was not seen. " +
		"It then counts as seen, with all of its rule; {next_alert} there goes to the next, and enter to the position. Rows that are stale, frozen, or a minute or more behind begin and end none.",
	"Events: what was opened, closed, flipped, grown or reduced since the start, and changes of status and socialised losses, each " +
		"listed once. Their filter also takes event:closed. ≤ before a time: found only afterwards, by an audit or after a lost " +
		"connection. While frozen, events wait with the rows.",
	"uPnL/MM is uPnL ÷ maintenance margin: -37% means that 37% of the maintenance margin has been lost, so lower is worse. Below -50% it is bold, below -100% reversed. Filters call it m% or pnl/mm. none: the " +
		"service has no margin levels for the position; old: the margin record, or one of the group, is more than 10m old. " +
		"{sort_by_trouble} puts the worst first: distressed, closed out, then by uPnL/MM. The cursor stays on the first row until it is moved; {first} puts it back there.",
	"{name} names the party, the market and the asset of a row, or what a group has in common, and sets their decimals. The names are kept in a file beside the " +
		"configuration. What the configuration sets comes first. [keys] in the configuration gives actions other keys.",
	"Status: DISTRESSED: the margin of a position does not suffice. ORDERS CLOSED: therefore the orders of the party were closed, the position " +
		"was not. CLOSED OUT: therefore the service closed the position.",
	"Margin levels: M maintenance, S search, I initial, R release. Below search, more collateral is searched for; above release, collateral is released. The bar shows how much of them the unrealised loss is. The " +
		"first page is read again every 5s while it is on the screen. Later pages stay as they are, so that rows do not move away; {resync} reads them again.",
	"Mouse: with --mouse, or mouse = true under [screen], a click chooses a row or sorts by a heading, one on ▾ or a " +
		"second one on the heading of a group folds it, the wheel scrolls what is under it, and a drag of the title of the " +
		"margin levels moves the split. The terminal's own selection then needs another key, often shift.",
}

// New returns the page. The function drawKeys draws all keys in a width.
func New(drawKeys func(c *pane.Context, width int) []string) *pane.Page {
	return pane.NewLongPage(func(c *pane.Context, s pane.Size) (string, []string) {
		return "help", Lines(drawKeys(c, s.Width-2), c, s.Width)
	})
}

// Lines returns the keys, which are drawn, and the notes.
func Lines(drawn []string, c *pane.Context, width int) []string {
	narrow := "Narrow screens leave out columns in this order: " + columns.LeavingOrder() +
		", but never the one that they are sorted by. {choose_columns} pins columns, which are left out last."
	var lines []string
	for _, line := range drawn {
		lines = append(lines, draw.Cut(" "+strings.TrimRight(line, " "), width))
	}
	paragraph := lipgloss.NewStyle().Width(max(width-1, 4)).Padding(0, 1)
	for _, note := range append(slices.Clone(notes), narrow) {
		lines = append(lines, "")
		lines = append(lines, strings.Split(paragraph.Render(c.Keys.Fill(note)), "\n")...)
	}
	return lines
}
