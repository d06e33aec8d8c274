package command

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"blotter/model/filter"
	"blotter/ui/command/cli"
)

func TestFilterOfPositions(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(third, second, first)
		s.run("positions", "-o", "ndjson", "--filter", "side:long").exits(0).prints(line(first)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "party:=a1 !b1").exits(0).prints(line(second))
		s.run("positions", "-o", "ndjson", "--filter", "size<=0").exits(0).prints(line(second) + line(third)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "size>4r").exits(0).prints(line(first)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "size>4").exits(0).prints("").
			printsErrors("blotter: --filter: 1 market without known decimals, so none of their numbers match; size>5r compares raw numbers\n") // the third market has only a size of 0
	})
}

// TestFilterWithFollow: a position that no longer matches is printed as removed.
func TestFilterWithFollow(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first, second)
		run := s.start("positions", "-o", "ndjson", "--follow", "--filter", "side:long")
		s.after(time.Second)
		run.hasPrinted(line(first))
		now, then := first, second
		now.OpenVolume, now.UpdatedAt = 0, 10
		then.OpenVolume, then.UpdatedAt = 7, 10
		s.Update(now, then)
		s.after(time.Second)
		run.hasPrinted(`{"marketId":"b1","partyId":"a1","removed":true}` + "\n" + line(then))
		now.UpdatedAt = 11
		s.Update(now)
		s.after(time.Second)
		run.hasPrinted("")
		run.interrupt()
		run.result().exits(130)
	})
}

func TestFilterOfMarginRecords(t *testing.T) {
	withService(t, func(s *service) {
		withRecords(s, 40)
		s.run("margins", "-o", "ndjson", "--filter", "party:=a7|=a12").exits(0).prints(marginLine(12) + marginLine(7)).printsErrors("")
		s.run("margins", "-o", "ndjson", "--filter", "asset:c1 !a1 !a2 !a3", "--limit", "2", "--page-size", "3").exits(0).prints(marginLines(9, 8))
		s.run("margins", "-o", "ndjson", "--filter", "asset:c2").exits(0).prints("")
	})
}

// TestErrorsOfFilters: no request is sent.
func TestErrorsOfFilters(t *testing.T) {
	withService(t, func(s *service) {
		for _, command := range []string{"positions", "margins"} {
			s.run(command, "--filter", "eth statis:d").exits(2).prints("").
				printsErrors(`blotter: --filter: unknown field "statis"; did you mean status? as a name: "statis:d"; fields: ` + strings.Join(filter.Fields(), " ") + "\n")
		}
		s.run("positions", "-o", "ndjson", "--follow", "--filter", "m%<-20").exits(2).printsErrors("blotter: uPnL/MM and the other numbers of margin records cannot be used with --follow, which keeps no margin levels\n")
		s.run("margins", "--filter", "size>0").exits(2).
			printsErrors("blotter: --filter: a margin record has only a party, a market and an asset to filter by\n")
		if sent := s.Requests(); len(sent) > 0 {
			t.Errorf("the requests are %v", sent)
		}
	})
}

// TestFilterOfTheDashboard: the flag overrides the file.
func TestFilterOfTheDashboard(t *testing.T) {
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", "[service]\nbase_urls = ['http://file']\n[screen]\nfilter = 'upnl<0'")
	for _, flag := range []struct {
		line []string
		want string
	}{{nil, "upnl<0"}, {[]string{"--filter", "side:long"}, "side:long"}, {[]string{"--filter", ""}, ""}} {
		command := new(cobra.Command)
		w.flags.registerFilter(command, "")
		if err := command.ParseFlags(flag.line); err != nil {
			t.Fatal(err)
		}
		w.flags.given = command.Flags()
		c, err := w.configure(t)
		if err != nil || c.uiOptions().Filter != flag.want {
			t.Errorf("with %+v: %v", flag, err)
		}
	}
	w.flags = flags{}
	w.write(t, "blotter/config.toml", "[service]\nbase_urls = ['http://file']\n[screen]\nfilter = 'upnl<'")
	if _, err := w.configure(t); err == nil || !strings.Contains(err.Error(), "filter") || !strings.Contains(err.Error(), "upnl< needs a number") || cli.ExitCode(err) != cli.ExitUsage {
		t.Errorf("a filter that cannot be understood: %v", err)
	}
}
