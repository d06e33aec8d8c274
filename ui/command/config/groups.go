package config

import (
	"errors"
	"fmt"
	"strings"

	"blotter/model"
)

const groupSection = "group"

// ownGroup is a section [[group]].
type ownGroup struct {
	name             string
	parties, markets []string // names or identifiers; none: all
}

func (g *ownGroup) keys() keys {
	return keys{
		{name: "name", kind: text(&g.name, "a text that is not empty"), sample: `"majors"`,
			help: "Its name, for filters such as group:majors and the screen."},
		{name: "parties", kind: list(&g.parties, "names or identifiers"), sample: `["desk-1", "desk-2"]`,
			help: "The parties in it, by name or identifier. An " +
				"empty list means all."},
		{name: "markets", kind: list(&g.markets, "names or identifiers"), sample: `["BTC/USDT", "ETH/USDT"]`, help: "The same of markets."},
	}
}

// checkGroups checks that each own group has a name of its own, and parties or markets.
func (f *File) checkGroups() error {
	if len(f.ownGroups) > model.MaxGroups {
		return f.Wrap(groupSection, fmt.Errorf("must be at most %d sections", model.MaxGroups))
	}
	taken := make(map[string]string)
	for i, g := range f.ownGroups {
		section := fmt.Sprintf("%s[%d]", groupSection, i)
		key, name := section+".name", strings.ToLower(g.name)
		switch other, isTaken := taken[name]; {
		case name == "":
			return f.Wrap(section, errors.New("must have a name"))
		case model.CheckGroupName(g.name) != nil:
			return f.Wrap(key, model.CheckGroupName(g.name))
		case isTaken:
			return f.sameAs(key, other, "")
		case len(g.parties)+len(g.markets) == 0:
			return f.Wrap(section, errors.New("must have parties or markets: without both it has all positions"))
		}
		taken[name] = key
		for list, names := range map[string][]string{".parties": g.parties, ".markets": g.markets} {
			if err := f.refuseEmptyName(section+list, names); err != nil {
				return err
			}
		}
	}
	f.Instruments = f.WithGroups(f.Instruments)
	return nil
}

// WithGroups returns instruments with the own groups, whose parties and markets have the names that are in them.
func (f *File) WithGroups(in *model.Instruments) *model.Instruments {
	var groups []model.Group
	for _, g := range f.ownGroups {
		group := model.Group{Name: g.name}
		for _, name := range g.parties {
			group.Parties = append(group.Parties, in.FindParty(name))
		}
		for _, name := range g.markets {
			group.Markets = append(group.Markets, in.FindMarket(name))
		}
		groups = append(groups, group)
	}
	return in.WithGroups(groups)
}
