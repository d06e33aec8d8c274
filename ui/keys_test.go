package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/columns"
	"blotter/ui/history"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// sentMsg reports whether a message of this type was sent to the program.
func (s *screen) sentMsg(kind string) bool {
	return slices.ContainsFunc(s.sent, func(msg tea.Msg) bool { return strings.Contains(fmt.Sprintf("%T", msg), kind) })
}

// keyCase is a test of one key: the keys that are pressed before it, and whether it did what help shows.
type keyCase struct {
	before []string
	did    func(s *screen) bool
}

func screenShows(text string) func(*screen) bool {
	return func(s *screen) bool { return strings.Contains(s.text(), text) }
}

func cursorOn(text string) func(*screen) bool {
	return func(s *screen) bool { return strings.Contains(s.cursorLine(), text) }
}

// columnChosen looks for the cursor of the list of columns on the one at a place. The function returns the place, from
// the number of lines that the list has on the screen and the last place.
func columnChosen(place func(lines, last int) int) func(*screen) bool {
	return func(s *screen) bool {
		all := view.Columns()
		lines := strings.Count(s.text(), "[x] ") + strings.Count(s.text(), "[ ] ")
		return cursorOn("] " + columns.Title(all[place(lines, len(all)-1)]))(s)
	}
}

// recordCursorOn looks for the cursor of the margin levels on the record of a market and party.
func recordCursorOn(market, party string) func(*screen) bool {
	return func(s *screen) bool {
		return slices.ContainsFunc(s.lines(), func(line string) bool {
			return strings.HasPrefix(strings.Join(strings.Fields(line), " "), "▌"+market+" "+party+" USDT ")
		})
	}
}

// keyCases has a test for each line of the help page, by its group and words.
var keyCases = map[string]keyCase{
	"everywhere: filter the positions": {nil, screenShows("\n / ")},
	"everywhere: choose parties":       {nil, screenShows("all parties\n")},
	"everywhere: choose markets":       {nil, screenShows("all markets\n")},
	"everywhere: next pane":            {nil, recordCursorOn("ETH/USDT", "desk-1")},
	"everywhere: previous pane":        {nil, recordCursorOn("ETH/USDT", "desk-1")},
	"everywhere: show the selected row": {[]string{"?"}, func(s *screen) bool {
		return !strings.Contains(s.text(), "─ help") && strings.HasPrefix(s.cursorLine(), "▌")
	}},
	"everywhere: full screen":         {nil, func(s *screen) bool { return !strings.Contains(s.text(), "─ ETH/USDT") }},
	"everywhere: move the split up":   {[]string{"tab", ">", ">"}, splitAt(14)},
	"everywhere: move the split down": {[]string{"tab"}, splitAt(14)},
	"everywhere: choose columns":      {nil, screenShows(fmt.Sprintf("\n─ %d columns ─", len(view.Columns())))},
	"everywhere: show a view; 0: the default": {nil, func(s *screen) bool {
		return strings.Contains(s.text(), "; v saves one.") || strings.Contains(s.text(), "This is view 0 default.")
	}},
	"everywhere: views and profiles":                {nil, screenShows("\n─ views ─")},
	"everywhere: baseline for changes":              {nil, screenShows(" Baseline taken: ")},
	"everywhere: session: totals over time":         {nil, screenShows("─ session ")},
	"everywhere: freeze the rows":                   {nil, screenShows("FROZEN")},
	"everywhere: resync: read all again":            {nil, func(s *screen) bool { return s.source.resynced == 1 }},
	"everywhere: events":                            {nil, screenShows("─ events ─")},
	"everywhere: connection and corrections":        {nil, screenShows("─ connection")},
	"everywhere: alerts and incidents":              {nil, screenShows("No alerts are set")},
	"everywhere: one step back; never quits":        {[]string{"?"}, func(s *screen) bool { return !strings.Contains(s.text(), "─ help") }},
	"everywhere: help":                              {nil, screenShows("─ help")},
	"everywhere: everything by name":                {nil, screenShows("\n : ")},
	"detail, connection, help: search in this page": {nil, screenShows("\n / ")},
	"searching in a page: stay at this line": {[]string{"b", "a", "s", "e", "l"}, func(s *screen) bool {
		return s.m.overlays.top() == nil && s.m.steps.topPage().opened.(pane.TextPage).AsPage().Searched() == "basel"
	}},
	"searching in a page: end the search": {[]string{"b", "a", "s", "e", "l"}, func(s *screen) bool {
		return s.m.overlays.top() == nil && s.m.steps.topPage().opened.(pane.TextPage).AsPage().Searched() == ""
	}},
	"the palette: do it":                                   {[]string{"f", "r", "e", "e"}, screenShows("FROZEN")},
	"everywhere: close, go live, or quit":                  {[]string{"q"}, func(s *screen) bool { return s.sentMsg("QuitMsg") }},
	"everywhere: twice: quit":                              {[]string{"ctrl+c"}, func(s *screen) bool { return s.sentMsg("QuitMsg") }},
	"everywhere: suspend":                                  {nil, func(s *screen) bool { return s.sentMsg("SuspendMsg") }},
	"everywhere: rewind; again: to a time":                 {nil, screenShows("REWIND 14:00:00")},
	"everywhere: what if, exposure, days":                  {nil, screenShows(" what if:  eth -5%")},
	"typing a change of prices: show it; then esc ends it": {[]string{"e", "t", "h", "/", " ", "-", "5", "%"}, screenShows("WHAT IF ETH/USDT -5%")},
	"typing a change of prices: next tab":                  {nil, screenShows("[exposure]")},
	"typing a change of prices: tab before":                {nil, screenShows("[days]")},
	"typing a change of prices: leave the line":            {nil, func(s *screen) bool { return s.m.overlays.top() == nil && s.m.steps.hasPage(analysisKind) }},
	"typing a change of prices: close it":                  {nil, func(s *screen) bool { return s.m.overlays.top() == nil && !s.m.steps.hasPage(analysisKind) }},
	"everywhere: save the past to a file":                  {nil, screenShows(" save to: /home/a/past.zst")},
	"saving to a file: save or copy it":                    {nil, screenShows("Saved /home/a/past.zst; blotter replay plays it.")},
	"saving to a file: copy it; again: to a file":          {nil, screenShows(" It cannot be copied.")}, // see TestRowsAreExported
	"saving to a file: save nothing":                       {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"everywhere: redraw":                                   {nil, func(s *screen) bool { return s.sentMsg("clearScreenMsg") }},
	"positions: mark or unmark this row":                   {[]string{"down"}, screenShows("*SOL/USDT")},
	"positions: unmark all rows":                           {[]string{"a"}, screenShows("No row is marked.")},
	"positions: group of the marked rows":                  {[]string{"a"}, screenShows("\n group name: ")},
	"naming a group: make this group":                      {[]string{"m", "e"}, screenShows("Group me: 1 position; b shows groups, / group:=me, in this run.")},
	"positions: rows as CSV: save or copy":                 {nil, screenShows("\n save to: /home/a/positions-20000101-140207.csv")},
	"positions: columns without room":                      {nil, screenShows("≈ NOTIONAL")},
	"positions: back by a column":                          {[]string{"right"}, screenShows("  SIZE  ")},
	"positions: choose the order":                          {nil, screenShows("z  SIZE")},
	"positions: worst first; again: back":                  {[]string{"s", "r", "T"}, screenShows("rPnL ▲")},
	"positions: show or hide closed":                       {nil, screenShows("\n 10 positions")},
	"positions: detail of this line":                       {nil, screenShows("POSITION_STATUS_DISTRESSED")},
	"positions: fold or unfold this group":                 {[]string{"b", "down"}, screenShows("▸desk-1")},
	"positions: group rows, or ungroup":                    {nil, screenShows("PARTY / MARKET")},
	"positions: only this row's party":                     {nil, func(s *screen) bool { return s.m.store.Settings().Scope.Equal(model.Scope{Parties: []model.ID{desk1}}) }},
	"positions: only this row's market": {nil, func(s *screen) bool {
		return s.m.store.Settings().Scope.Equal(model.Scope{Markets: []model.ID{ethMarket}})
	}},
	"positions: copy row, or marked rows":                 {nil, func(s *screen) bool { return s.sentMsg("setClipboardMsg") }},
	"positions: copy all rows":                            {nil, screenShows("Sent to the terminal's clipboard: 6 rows below a heading.")},
	"margin levels: previous page":                        {[]string{"right", "right"}, screenShows("page 2 ")},
	"margin levels: next page":                            {nil, screenShows("page 2 ")},
	"margin levels: first page":                           {[]string{"right", "right"}, screenShows("page 1 ")},
	"margin levels: last page":                            {nil, screenShows("last page ")},
	"margin levels: newest or oldest first":               {nil, screenShows("oldest first · page 1 ")},
	"margin levels: the position of this row":             {[]string{"down"}, cursorOn(" +1.250 ")},
	"events: filter the events":                           {nil, screenShows("\n / ")},
	"events: position of this event":                      {nil, cursorOn("DOGE/USDT")},
	"events: copy this event":                             {nil, func(s *screen) bool { return s.sentMsg("setClipboardMsg") }},
	"events: copy all events listed":                      {nil, screenShows("Sent to the terminal's clipboard: 30 events below a heading.")},
	"events: rewind to its time":                          {nil, screenShows("REWIND 14:00:00")},
	"alerts: newest that was not seen":                    {nil, screenShows("All alerts were seen.")},
	"alerts: new rule, of the filter":                     {nil, screenShows("─ new alert")},
	"alerts: rule on or off":                              {[]string{"g"}, screenShows("1 rule off")},
	"alerts: quiet for 15 minutes, or not":                {[]string{"g"}, screenShows(" is quiet until ")},
	"alerts: rule: only the scope that is shown":          {[]string{"g"}, screenShows("It is in the configuration.")}, // see TestASavedRuleIsAskedAboutOnce
	"alerts: all incidents, or the newest":                {nil, screenShows("There are no other incidents")},
	"alerts: twice: remove this rule":                     {[]string{"g"}, screenShows("It is in the configuration.")}, // see TestARuleIsMadeOnTheScreen
	"making an alert: save the rule":                      {nil, screenShows("must have 1 to 40 cells")},
	"alerts: position, or edit the rule":                  {nil, screenShows("\n─ BTC/USDT · desk-2 ─")},
	"alerts: rewind to its time":                          {nil, screenShows("REWIND 14:00:00")},
	"detail, connection, help: name it, set its decimals": {[]string{"esc", "enter"}, screenShows("─ names and decimals;")},
	"typing a filter: keep the filter": {[]string{"e", "t", "h"}, func(s *screen) bool {
		return strings.Contains(s.text(), "[eth]") && !strings.Contains(s.text(), "esc clears")
	}},
	"typing a filter: clear the filter":            {[]string{"e", "t", "h"}, screenShows("6 of 10 positions, 4 closed hidden\n")},
	"typing a filter: complete the field or value": {[]string{"s", "t"}, screenShows(" / status: ")},
	"choosing parties or markets: mark or unmark":  {[]string{"down"}, cursorOn("[x] desk-1")},
	"choosing parties or markets: watch these; none: all": {[]string{"down"}, func(s *screen) bool {
		return s.m.store.Settings().Scope.Equal(model.Scope{Parties: []model.ID{desk1}})
	}},
	"choosing the order: sort by its column": {nil, func(s *screen) bool {
		return s.m.overlays.top() == nil || strings.Contains(s.text(), "There is no baseline.")
	}}, // see TestEachColumnHasALetter
	"choosing the order: reverse the order":   {nil, func(s *screen) bool { return s.m.store.Settings().Order.Descending }},
	"choosing the order: sort by this column": {[]string{"end"}, func(s *screen) bool { return s.m.store.Settings().Order.Column == view.AgeColumn }},
	"choosing columns: show or hide":          {[]string{"end"}, cursorOn("[ ] IDLE")},
	"choosing columns: move to the left":      {[]string{"down"}, screenShows("▌[x] PARTY\n [x] MARKET")},
	"choosing columns: move to the right":     {nil, screenShows(" [x] PARTY\n▌[x] MARKET")},
	"choosing columns: pin: leave out last":   {nil, cursorOn("pinned")},
	"choosing columns: wider":                 {[]string{"right"}, cursorOn("width 10")},
	"choosing columns: narrower":              {[]string{"right", "right", "right"}, cursorOn("width 10")},
	"choosing columns: all as by default":     {[]string{"p", "right"}, func(s *screen) bool { return !strings.Contains(s.text(), "pinned") }},
	"choosing columns: apply": {[]string{"end", "tab"}, func(s *screen) bool {
		return s.m.overlays.top() == nil && !strings.Contains(s.text(), "IDLE")
	}},
	"positions: name it, set its decimals":          {nil, screenShows("─ names and decimals;")},
	"margin levels: name it, set its decimals":      {[]string{"down"}, screenShows("─ BTC/USDT · desk-2 ─")},
	"giving names: save all fields":                 {[]string{"x"}, screenShows("▌ETH/USDTx")},
	"views and profiles: show this view or profile": {nil, screenShows("This is view 0 default.")},
	"views and profiles: show a view": {nil, func(s *screen) bool {
		return strings.Contains(s.text(), "; s saves one at the cursor.") && s.m.overlays.top() != nil || strings.Contains(s.text(), "This is view 0 default.") && s.m.overlays.top() == nil
	}},
	"views and profiles: save the screen here":    {[]string{"down"}, screenShows(" name of view 1:\n")},
	"views and profiles: twice: delete this view": {[]string{"down", "s", "enter", "d"}, screenShows("Deleted the saved view 1.")},
	"views and profiles: close the list":          {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"naming a view: save the view":                {[]string{"a", "b"}, screenShows("Saved as view 1 ab for this run: nothing is remembered.")},
	"naming a view: cancel": {[]string{"a"}, func(s *screen) bool {
		return len(s.m.overlays.open) == 1 && !strings.Contains(s.text(), "Saved")
	}},
	"detail: why, from what is recorded":                  {nil, screenShows("Nothing older is recorded of ETH/USDT desk-1.")}, // see TestWhyFromTheMemoryOfRewind
	"detail: copy this field":                             {nil, screenShows("clipboard: status of ETH/USDT · desk-1.")},
	"detail: next row":                                    {nil, screenShows("─ SOL/USDT · desk-1")},
	"detail: row before":                                  {[]string{"J"}, screenShows("─ ETH/USDT · desk-1")},
	"analysis: next tab":                                  {nil, screenShows("[exposure]")},
	"analysis: tab before":                                {nil, screenShows("[days]")},
	"analysis: matrix: own groups, or parties":            {nil, screenShows(" Only in the matrix.")}, // see TestGoldenExposureAndMatrixByOwnGroups
	"analysis: matrix: next number":                       {nil, screenShows(" Only in the matrix.")},
	"analysis: matrix: filter by cell":                    {nil, screenShows(" Only in the matrix.")}, // see TestTheCellsOfTheMatrix
	"analysis: next cell or exposure":                     {[]string{"tab"}, screenShows("by party")},
	"analysis: the one before":                            {[]string{"tab", "right"}, screenShows("by market")},
	"analysis: next asset":                                {nil, screenShows("There is no other asset.")},
	"session: next total":                                 {nil, func(s *screen) bool { return s.m.analysis.Session.Series == history.Realised }},
	"session: total before":                               {nil, func(s *screen) bool { return s.m.analysis.Session.Series == history.Both }},
	"session: next asset":                                 {nil, screenShows("There is no other asset.")}, // see TestSeveralAssets
	"replacing a baseline: take a new one":                {nil, screenShows(" Baseline taken: ")},
	"replacing a baseline: use the one of an earlier run": {nil, screenShows(" One was taken in this run.")},
	"replacing a baseline: remove it":                     {nil, screenShows(" Baseline removed.")},
	"replacing a baseline: keep it": {nil, func(s *screen) bool {
		return s.m.overlays.top() == nil && s.m.store.Book().Baselines().HasTaken()
	}},
	"replay and rewind: pause, or go on":           {nil, screenShows(" 1x")},
	"replay and rewind: step to the next change":   {nil, func(s *screen) bool { return s.memory.steps == 1 }},
	"replay and rewind: step to the change before": {nil, func(s *screen) bool { return s.memory.steps == -1 }},
	"replay and rewind: half as fast":              {[]string{"space"}, screenShows(" 0.5x")},
	"replay and rewind: twice as fast":             {[]string{"space"}, screenShows(" 2x")},
	"replay and rewind: a minute back":             {nil, screenShows("REWIND 13:59:00")},
	"replay and rewind: a minute forward":          {[]string{"<", "<"}, screenShows("REWIND 13:59:00")},
	"typing a time: go there; empty: live at once": {nil, screenShows("LIVE")},
	"typing a time: stay here":                     {nil, screenShows("REWIND 14:00:00")},

	"lists and pages: up":                 {[]string{"down", "down"}, cursorOn("SOL")},
	"lists and pages: down":               {nil, cursorOn("SOL")},
	"lists and pages: a screen up":        {[]string{"G"}, cursorOn("ETH")},
	"lists and pages: a screen down":      {nil, cursorOn("desk-2")},
	"lists and pages: half a screen up":   {[]string{"ctrl+d"}, cursorOn("ETH")},
	"lists and pages: half a screen down": {nil, cursorOn("desk-2")},
	"lists and pages: first line":         {[]string{"G"}, cursorOn("ETH")},
	"lists and pages: last line":          {nil, cursorOn("desk-2")},
	"lists beside a text: up":             {[]string{"down", "down"}, cursorOn("desk-1")},
	"lists beside a text: down":           {nil, cursorOn("desk-1")},
	"lists beside a text: a screen up":    {[]string{"end"}, cursorOn("all parties")},
	"lists beside a text: a screen down":  {nil, cursorOn("network")},
	"lists beside a text: first line":     {[]string{"end"}, cursorOn("all parties")},
	"lists beside a text: last line":      {nil, cursorOn("network")},
	"forms: next field":                   {nil, cursorOn("size decimals")},
	"forms: previous field":               {[]string{"tab", "tab"}, cursorOn("size decimals")},
	"dialogs: close it":                   {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"dialogs: twice: quit":                {[]string{"ctrl+c"}, func(s *screen) bool { return s.sentMsg("QuitMsg") }},
}

// everywhereCases has tests of the keys of lists, forms and dialogs, in each of them.
var everywhereCases = map[string]keyCase{
	"searching in a page: up":                      {[]string{"b", "a", "c", "k", "down", "down"}, screenShows("line 2 of ")},
	"searching in a page: down":                    {[]string{"b", "a", "c", "k"}, screenShows("line 2 of ")},
	"searching in a page: a screen up":             {[]string{"pgdown"}, screenShows("lines 1–")},
	"searching in a page: a screen down":           {nil, screenShows("lines 20–")},
	"the palette: up":                              {[]string{"down", "down"}, cursorOn("sort by trouble")},
	"the palette: down":                            {nil, cursorOn("sort by trouble")},
	"the palette: a screen up":                     {[]string{"pgdown"}, cursorOn("choose the order")},
	"the palette: a screen down":                   {nil, cursorOn("close, go live, or quit")},
	"the palette: first line":                      {[]string{"end"}, cursorOn("choose the order")},
	"the palette: last line":                       {nil, cursorOn("market DOGE/USDT")},
	"positions: up":                                {[]string{"down", "down"}, cursorOn("SOL")},
	"positions: down":                              {nil, cursorOn("SOL")},
	"positions: a screen up":                       {[]string{"G"}, cursorOn("ETH")},
	"positions: a screen down":                     {nil, cursorOn("desk-2")},
	"positions: half a screen up":                  {[]string{"ctrl+d"}, cursorOn("ETH")},
	"positions: half a screen down":                {nil, cursorOn("desk-2")},
	"positions: first line":                        {[]string{"G"}, cursorOn("ETH")},
	"positions: last line":                         {nil, cursorOn("desk-2")},
	"margin levels: up":                            {[]string{"down", "down"}, recordCursorOn("BTC/USDT", "desk-2")},
	"margin levels: down":                          {nil, recordCursorOn("BTC/USDT", "desk-2")},
	"margin levels: a screen up":                   {[]string{"pgdown"}, recordCursorOn("ETH/USDT", "desk-1")},
	"margin levels: a screen down":                 {nil, recordCursorOn("SOL/USDT", "desk-1")},
	"margin levels: half a screen up":              {[]string{"ctrl+d"}, recordCursorOn("ETH/USDT", "desk-1")},
	"margin levels: half a screen down":            {nil, recordCursorOn("SOL/USDT", "desk-1")},
	"events: up":                                   {[]string{"down", "down"}, cursorOn("flipped -28 → +29")},
	"events: down":                                 {nil, cursorOn("flipped -28 → +29")},
	"events: half a screen up":                     {[]string{"ctrl+d"}, cursorOn("flipped +29 → -30")},
	"events: half a screen down":                   {nil, cursorOn("flipped -22 → +23")},
	"events: a screen up":                          {[]string{"pgdown", "pgdown"}, cursorOn("flipped +15 → -16")},
	"events: a screen down":                        {nil, cursorOn("flipped -14 → +15")},
	"events: first line":                           {[]string{"G"}, cursorOn("flipped +29 → -30")},
	"events: last line":                            {nil, cursorOn("flipped -81,000 → +1")},
	"alerts: up":                                   {[]string{"G"}, cursorOn("DOGE/USDT")},
	"alerts: down":                                 {[]string{"g"}, cursorOn("desk-2")},
	"alerts: a screen up":                          {nil, cursorOn("upnl>0")},
	"alerts: a screen down":                        {nil, cursorOn("LINK")},
	"alerts: half a screen up":                     {nil, cursorOn("upnl>0")},
	"alerts: half a screen down":                   {nil, cursorOn("LINK")},
	"alerts: first line":                           {nil, cursorOn("upnl>0")},
	"alerts: last line":                            {nil, cursorOn("LINK")},
	"making an alert: next field":                  {nil, cursorOn("filter")},
	"making an alert: previous field":              {nil, cursorOn("asset")},
	"detail, connection, help: up":                 {[]string{"down", "down"}, screenShows("lines 2–")},
	"detail, connection, help: down":               {nil, screenShows("lines 2–")},
	"detail, connection, help: half a screen up":   {[]string{"ctrl+d"}, screenShows("lines 1–")},
	"detail, connection, help: half a screen down": {nil, screenShows("lines 10–")},
	"detail, connection, help: first line":         {[]string{"G"}, screenShows("lines 1–")},
	"detail, connection, help: last line": {nil, func(s *screen) bool {
		return strings.Contains(s.text(), "help flags") && !strings.Contains(s.text(), "lines 1–")
	}},
	"detail, connection, help: a screen up": {[]string{"pgdown"}, screenShows("lines 1–")},
	"detail, connection, help: a screen down": {nil, func(s *screen) bool {
		return strings.Contains(s.text(), "─ help") && !strings.Contains(s.text(), "lines 1–")
	}},
	"choosing parties or markets: up":                      {[]string{"down", "down"}, cursorOn("desk-1")},
	"choosing parties or markets: down":                    {nil, cursorOn("desk-1")},
	"choosing parties or markets: a screen up":             {[]string{"end"}, cursorOn("all parties")},
	"choosing parties or markets: a screen down":           {nil, cursorOn("network")},
	"choosing parties or markets: first line":              {[]string{"end"}, cursorOn("all parties")},
	"choosing parties or markets: last line":               {nil, cursorOn("network")},
	"choosing the order: up":                               {[]string{"home", "down", "down"}, cursorOn("p  PARTY")},
	"choosing the order: down":                             {[]string{"home"}, cursorOn("p  PARTY")},
	"choosing the order: half a screen up":                 {[]string{"end"}, cursorOn("H  ≈ TO -100%")},
	"choosing the order: half a screen down":               {[]string{"home"}, cursorOn("%  uPnL/MM")},
	"choosing the order: a screen up":                      {[]string{"end"}, cursorOn("p  PARTY")},
	"choosing the order: a screen down":                    {nil, cursorOn("a  IDLE")},
	"choosing the order: first line":                       {[]string{"end"}, cursorOn("m  MARKET")},
	"choosing the order: last line":                        {nil, cursorOn("a  IDLE")},
	"choosing columns: up":                                 {[]string{"down", "down"}, cursorOn("[x] PARTY")},
	"choosing columns: down":                               {nil, cursorOn("[x] PARTY")},
	"choosing columns: half a screen up":                   {[]string{"end"}, columnChosen(func(lines, last int) int { return last - lines/2 })},
	"choosing columns: half a screen down":                 {nil, columnChosen(func(lines, _ int) int { return lines / 2 })},
	"choosing columns: a screen up":                        {[]string{"end"}, columnChosen(func(lines, last int) int { return max(last-lines, 0) })},
	"choosing columns: a screen down":                      {nil, columnChosen(func(lines, last int) int { return min(lines, last) })},
	"choosing columns: first line":                         {[]string{"end"}, cursorOn("[x] MARKET")},
	"choosing columns: last line":                          {nil, cursorOn("[x] IDLE")},
	"giving names: next field":                             {nil, cursorOn("size decimals")},
	"giving names: previous field":                         {[]string{"tab", "tab"}, cursorOn("size decimals")},
	"views and profiles: up":                               {[]string{"down"}, cursorOn("0 default")},
	"views and profiles: down":                             {nil, cursorOn("1")},
	"views and profiles: half a screen up":                 {[]string{"end"}, cursorOn("0 default")},
	"views and profiles: half a screen down":               {nil, cursorOn("1 new")},
	"views and profiles: a screen up":                      {[]string{"end"}, cursorOn("0 default")},
	"views and profiles: a screen down":                    {nil, cursorOn("1 new")},
	"views and profiles: first line":                       {[]string{"end"}, cursorOn("0 default")},
	"views and profiles: last line":                        {nil, cursorOn("1 new")},
	"the palette: close it":                                {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"naming a group: close it":                             {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"events: one step back; never quits":                   {nil, func(s *screen) bool { return !strings.Contains(s.text(), "─ events") }},
	"making an alert: close it":                            {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"alerts: one step back; never quits":                   {nil, func(s *screen) bool { return !strings.Contains(s.text(), "─ alerts") }},
	"detail, connection, help: one step back; never quits": {nil, func(s *screen) bool { return !strings.Contains(s.text(), "─ help") }},
	"choosing parties or markets: close it": {[]string{"down", "tab"}, func(s *screen) bool {
		return s.m.overlays.top() == nil && s.m.store.Settings().Scope.Equal(model.Scope{})
	}},
	"choosing the order: close it": {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
	"choosing columns: close it": {[]string{"end", "tab"}, func(s *screen) bool {
		return s.m.overlays.top() == nil && strings.Contains(s.text(), "IDLE")
	}},
	"giving names: close it":       {[]string{"x"}, screenShows("▌ETH/USDT ")},
	"views and profiles: close it": {nil, func(s *screen) bool { return s.m.overlays.top() == nil }},
}

// splitAt looks for the title of the margin levels on a line of the screen.
func splitAt(line int) func(*screen) bool {
	return func(s *screen) bool { return strings.HasPrefix(s.lines()[line], "─ Margin levels") }
}

// entering are the keys that lead to where the keys of a group work.
var entering = map[string][]string{
	"lists beside a text": {"p"}, "forms": {"n"}, "dialogs": {"p"},
	"margin levels": {"tab"}, "detail": {"enter"}, "events": {"e"}, "alerts": {"!"}, "detail, connection, help": {"?"}, "typing a filter": {"/"}, "choosing parties or markets": {"p"},
	"choosing columns": {"C"}, "choosing the order": {"s"}, "giving names": {"n"}, "making an alert": {"!", "n"}, "replacing a baseline": {"B", "B"}, "session": {"h"}, "analysis": {"x", "down"}, "views and profiles": {"v"}, "naming a view": {"v", "down", "s"}, "naming a group": {"a", "O"}, "replay and rewind": {"w"}, "the palette": {":"}, "searching in a page": {"?", "/"}, "typing a time": {"w", "w"}, "saving to a file": {"W"}, "typing a change of prices": {"x"},
}

func TestEveryKeyDoesWhatHelpShows(t *testing.T) {
	for _, g := range DefaultKeys().Groups {
		for _, a := range g.Actions {
			if len(a.Keys) == 0 {
				continue
			}
			name := g.Title + ": " + a.Help
			test, ok := keyCases[name]
			if !ok {
				t.Errorf("help shows %q, and no test checks it", name)
				continue
			}
			test.check(t, g.Title, &a)
		}
	}
}

// TestTheKeysOfAllListsWorkInEachOfThem, and so do those of forms, dialogs and pages.
func TestTheKeysOfAllListsWorkInEachOfThem(t *testing.T) {
	besideText := []string{"choosing parties or markets", "the palette", "searching in a page"}
	for name, test := range everywhereCases {
		at := strings.LastIndex(name, ": ")
		place, help := name[:at], name[at+2:]
		found := false
		for _, g := range DefaultKeys().Groups {
			isOfText := g.Title == "lists beside a text"
			if isOfText != slices.Contains(besideText, place) && (isOfText || g.Title == "lists and pages") {
				continue
			}
			for _, a := range g.Actions {
				if a.Help == help && g.Title != place {
					found = true
					test.check(t, place, &a)
				}
			}
		}
		if !found {
			t.Errorf("no action is %q", name)
		}
	}
}

// check presses each key of an action where the keys of a place work.
func (test keyCase) check(t *testing.T, place string, a *keys.Action[any]) {
	for _, key := range a.Keys {
		t.Run(place+": "+a.Help+" "+key, func(t *testing.T) {
			rules := map[string][]alerts.Rule{"alerts": {ruleOf("gain", "upnl>0", "")}}[place]
			deskScreenWith(t, func(s *screen) {
				if strings.HasSuffix(a.Help, " page") {
					pagedSource(s)
					s.press("g")
				}
				if place == "events" {
					s.publish(flips(30))
				}
				if place == "session" || place == "analysis" {
					s.pass(2 * time.Second) // until there are totals
				}
				s.press(entering[place]...)
				if strings.HasSuffix(a.Help, " page") {
					s.press("g")
				}
				s.press(test.before...)
				s.press(key)
				if !test.did(s) {
					t.Errorf("%s did not do it:\n%s", key, s.text())
				}
			}, rules...)
		})
	}
}

func TestHelpNamesEveryKey(t *testing.T) {
	var memory fakeMemory
	change := func(o *Options) {
		keepingPast(&memory)(o)
		o.Alerts = []alerts.Rule{distress}
	}
	onScreen(t, 200, 60, change, func(s *screen) {
		pagedSource(s)
		s.publish(whole(all, deskRows()...))
		s.publish(flips(1))
		s.press("b", "down", "tab", "g", "right", "e", "!", "?")
		help := s.text()
		for range 4 {
			s.press("pgdown")
			help += s.text()
		}
		for _, g := range DefaultKeys().Groups {
			for _, a := range g.Actions {
				if len(a.Keys) == 0 {
					continue
				}
				for _, words := range []string{a.ShownKeys(), cmp.Or(keys.Reason(&a, s.m.allParts(), s.m.context()), a.Help)} {
					if !strings.Contains(help, words) {
						t.Errorf("help does not say %q:\n%s", words, help)
					}
				}
			}
		}
	})
}

// TestHelpHasTwoColumns on a screen of 80 cells: words that are too long would make it one column, twice as long.
func TestHelpHasTwoColumns(t *testing.T) {
	for _, isDemo := range []bool{false, true} {
		change := func(o *Options) {
			watchAll(o)
			o.Demo, o.Alerts = isDemo, []alerts.Rule{distress}
		}
		onScreen(t, 80, 24, change, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("b", "!", "esc", "?")
			s.press("pgdown", "pgup", "down", "down", "down", "down")
			if !strings.Contains(s.text(), "everywhere                               lists and pages") {
				t.Errorf("the keys after those of a day are in one column:\n%s", s.text())
			}
		})
	}
}
