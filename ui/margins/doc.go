// Package margins has the margin levels on the screen. It sends no request and does not depend on a clock: its types
// return requests, which the screen sends, and get the responses and the time.
//
//	pane            the table, its keys, and what it wants of the screen
//	pages           the page that is shown, which request comes next, and what its response changes
//	records, draw   which records are shown, and how they are drawn
package margins
