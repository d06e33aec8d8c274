package layout

import "time"

// hintFor is how long each hint of the demo is shown.
const hintFor = 12 * time.Second

// DemoHint returns what the demo says of the screen at a time since its begin: what is seen, and which key shows why.
// Actions in braces stand for their keys. After two minutes it is empty.
func DemoHint(since time.Duration) string {
	hints := [...]string{
		"Simulated positions, sent as a service sends them. Any key ends these hints.",
		"The worst position comes first. uPnL/MM: profit or loss to maintenance.",
		"{detail}: all of a position, and why its profit or loss has changed",
		"{filter}: a filter, such as desk-1 or upnl<-1000",
		"{choose_parties} and {choose_markets}: the parties and markets to watch; {group}: in groups",
		"{next_pane}: the margin levels, of which {previous_page} and {next_page} turn the pages",
		"{next_alert}: the alerts, such as a loss close to the maintenance margin",
		"{rewind}: the past, in which {replay_step_back} and {replay_step} go from one change to the next",
		"{what_if}: the same positions at other prices, such as all -5%",
		"{session}: profit and loss over time, and which positions have moved it",
	}
	if at := int(since / hintFor); at >= 0 && at < len(hints) {
		return hints[at]
	}
	return ""
}
