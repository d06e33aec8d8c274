package margins

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"

	"blotter/model"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Pane is the table of margin levels, one page of which is shown.
type Pane struct {
	*Pages
	store *store.Store
	// Selected returns the selected position, nil if there is none.
	Selected func() *model.Position
	// Spinner is put before words that say what is awaited.
	Spinner fmt.Stringer
}

// NewPane returns the table of the scope of a store before its first request. Requests end when ctx is done.
func NewPane(ctx context.Context, of *store.Store, size int, newestFirst bool) *Pane {
	return &Pane{Pages: NewPages(ctx, of.Settings().Scope, size, newestFirst), store: of}
}

// Actions are the keys of the table besides those that move in it.
func Actions() []keys.Action[*Pane] {
	turn := func(to model.PageTurn) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, _ *pane.Context) []pane.Effect {
			return p.ask(p.Turn(to, p.store.Now()))
		}
	}
	resize := func(up bool, extreme string) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, _ *pane.Context) []pane.Effect { return p.resize(up, extreme) }
	}
	return []keys.Action[*Pane]{
		{Name: "previous_page", Keys: []string{"left"}, Help: "previous page",
			Do: turn(model.PreviousPage), WhyNot: whyNoPreviousPage},
		{Name: "next_page", Keys: []string{"right"}, Help: "next page", Hint: "next",
			Do: turn(model.NextPage), WhyNot: whyNoNextPage},
		{Name: "first", Keys: []string{"home", "g"}, Help: "first page", Do: turn(model.FirstPage)},
		{Name: "last", Keys: []string{"end", "G"}, Help: "last page", Hint: "last page", Priority: 9, Do: turn(model.LastPage)},
		{Name: "reverse_records", Keys: []string{"o"}, Help: "newest or oldest first", Hint: "order", Do: (*Pane).reverse},
		{Name: "larger_pages", Help: "larger pages", Do: resize(true, "largest")},
		{Name: "smaller_pages", Help: "smaller pages", Do: resize(false, "smallest")},
		{Name: "name", Keys: []string{"n"}, Help: "name it, set its decimals", OnlyLive: true, Do: (*Pane).name, WhyNot: whyNoNaming},
		{Name: "position_of_record", Keys: []string{"enter"}, Help: "the position of this row",
			Hint: "position", Priority: 8, Do: (*Pane).showPosition, WhyNot: whyNoRecord},
	}
}

// ask sends a request, nil if there is none, and takes the records of its response.
func (p *Pane) ask(request *store.Request) []pane.Effect {
	return pane.Asking(request, func(r store.Response) *model.Page {
		return p.Handle(r, p.store.Book().Margins(), p.store.Now())
	})
}

// Open requests the first page.
func (p *Pane) Open() []pane.Effect { return p.ask(p.FirstPage(p.store.Now())) }

// Again requests the same page as it is now.
func (p *Pane) Again() []pane.Effect { return p.ask(p.Pages.Again(p.store.Now())) }

// Watch forgets the page, and requests the first page of another scope.
func (p *Pane) Watch(scope model.Scope) []pane.Effect {
	return p.ask(p.Pages.Watch(scope, p.store.Now()))
}

// List returns the records of the page.
func (p *Pane) List() pane.List { return &p.Rows }

// frame is how many lines of the pane are no records: title, heading and last line.
const frame = 3

// Sync adapts the records to the filter and to the size, and requests what the table needs if it is open: on the
// screen, or behind a page.
func (p *Pane) Sync(c *pane.Context, s pane.Size, isOpen bool) []pane.Effect {
	p.hasFocus = c.HasFocus
	room := max(s.Height-frame, 0)
	p.Narrow(p.store.Settings().Filter, p.store.Instruments())
	p.Rows.Fit(room)
	if selected := p.Selected(); selected != nil && !c.HasFocus {
		if place := slices.IndexFunc(p.rows, func(r model.MarginLevels) bool { return r.Key == selected.Key }); place >= 0 {
			p.Rows.Show(place)
		}
	}
	if !isOpen || store.FrozenOf(p.store) != nil {
		return nil
	}
	return p.ask(p.Refresh(p.store.Now(), c.Recording.IsPaused))
}

// IsLoading reports whether the first page is awaited.
func (p *Pane) IsLoading() bool { return p.page == nil && p.failed.problem == "" }

// Click moves the cursor to the record that was clicked.
func (p *Pane) Click(_ *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	if at.Y >= frame-1 && at.Y < s.Height-1 {
		p.Rows.Click(at.Y - frame + 1)
	}
	return nil
}

// reverse reverses the list and shows its first page.
func (p *Pane) reverse(*pane.Context) []pane.Effect { return p.ask(p.Reverse(p.store.Now())) }

// resize makes pages larger or smaller; extreme is the word for those of the last size: largest or smallest.
func (p *Pane) resize(up bool, extreme string) []pane.Effect {
	if !p.Resize(up) {
		return pane.Saying(fmt.Sprintf("Pages of %d records are the %s.", p.Size(), extreme))
	}
	return append(pane.Saying(fmt.Sprintf("Pages of %d records.", p.Size())), p.Open()...)
}

// showPosition shows the position that the record under the cursor belongs to.
func (p *Pane) showPosition(*pane.Context) []pane.Effect {
	record, _ := p.Rows.Cursor()
	return []pane.Effect{pane.GoTo{Key: record.Key, Missing: "The service has no position for this record."}}
}

// name opens the dialog for the names of the record under the cursor.
func (p *Pane) name(*pane.Context) []pane.Effect {
	record, _ := p.Rows.Cursor()
	named := pane.Named{MarginKey: record, Title: p.store.Format().Title(record.Key),
		Record: func() *model.MarginLevels { return p.Record(record) }}
	return []pane.Effect{pane.Open{Dialog: pane.NamesDialog{Named: named}}}
}

func whyNoNaming(p *Pane, c *pane.Context) string { return cmp.Or(c.WhyNoNames, whyNoRecord(p, c)) }

func whyNoRecord(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(p.Len() == 0, "no record is selected")
}

func whyNoPreviousPage(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(p.IsFirst(), "first page")
}

func whyNoNextPage(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(p.IsLast(), "last page")
}
