package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui"
	"blotter/ui/columns"
	"blotter/ui/command/config"
	"blotter/ui/command/exit"
)

// viewFlag is the flag of the commands whose screen can begin with a view.
type viewFlag struct{ number int }

func (f *viewFlag) register(command *cobra.Command) {
	command.Flags().IntVar(&f.number, "view", 0, "begin with this view, 1 to 9: of the configuration, or saved from the screen")
}

// begin makes the view of the flag the first one of a screen.
func (f *viewFlag) begin(o *ui.Options) error {
	isWanted := func(v ui.View) bool { return v.Number == f.number }
	if f.number != 0 && !slices.ContainsFunc(slices.Concat(o.Views, o.SavedViews), isWanted) {
		return exit.Usage("--view: there is no view %d%s", f.number, availableViews(o))
	}
	o.View = f.number
	return nil
}

// availableViews returns the numbers and names of the views, for an error.
func availableViews(o *ui.Options) string {
	var numbers []int
	for _, v := range slices.Concat(o.Views, o.SavedViews) {
		numbers = append(numbers, v.Number)
	}
	slices.Sort(numbers)
	var names []string
	for _, number := range slices.Compact(numbers) {
		names = append(names, strconv.Itoa(number))
	}
	if len(names) == 0 {
		return ": none is in the configuration, and none was saved"
	}
	return "; there are " + strings.Join(names, ", ")
}

// addViews adds the views of the configuration to the options of a screen. What a view does not have is as the options
// have it.
func (c *configuration) addViews(o *ui.Options) {
	for i := range c.views {
		o.Views = append(o.Views, c.viewOf(&c.views[i], o))
	}
}

// viewOf returns a view of the configuration.
func (c *configuration) viewOf(from *config.View, o *ui.Options) ui.View {
	v := ui.View{
		Number: from.Number, Name: from.Name, Scope: o.Scope, Filter: o.Filter, Order: o.Order, ShowClosed: o.ShowClosed, Columns: o.Columns,
		Group: o.Group,
	}
	if from.Parties != nil {
		v.Scope.Parties = identifiers(from.Parties, c.instruments.FindParty)
	}
	if from.Markets != nil {
		v.Scope.Markets = identifiers(from.Markets, c.instruments.FindMarket)
	}
	if from.Order != nil {
		v.Order = view.Order{Column: *from.Order}
	}
	if from.Columns != nil {
		v.Columns = columns.Only(from.Columns)
	}
	setIfGiven(&v.Filter, from.Filter)
	setIfGiven(&v.Order.Descending, from.Descending)
	setIfGiven(&v.ShowClosed, from.ShowClosed)
	setIfGiven(&v.Group, from.Group)
	return v
}

// setIfGiven sets a variable to a value that may be nil.
func setIfGiven[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// viewNumbers returns the numbers of the views in the configuration, with their names.
func (p *program) viewNumbers(command *cobra.Command) ([]cobra.Completion, error) {
	file, err := p.readConfig(command.Context())
	if err != nil {
		return nil, err
	}
	var numbers []cobra.Completion
	for _, v := range file.Views {
		number := fmt.Sprint(v.Number)
		if v.Name != "" {
			number = cobra.CompletionWithDesc(number, model.Neutralise(v.Name))
		}
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers, nil
}
