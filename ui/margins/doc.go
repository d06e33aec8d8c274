// Package margins is the table of margin levels on the screen. It sends no request itself: it returns requests as
// effects, and gets their responses. The time is that of the store.
//
//	pane            the table, its keys and its effects
//	pages           the page that is shown, which request comes next, and what its response changes
//	records, draw   which records are shown, and how they are drawn
package margins
