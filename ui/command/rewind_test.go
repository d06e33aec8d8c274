package command

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/ui/command/cli"
	"blotter/ui/command/config"
)

// rewindTest runs a dashboard with two positions, whose uPnL is +346.88 and -449.20 until after two minutes the second
// has -600.00, and after four the first has +500.00.
func rewindTest(t *testing.T, test func(*dashboardTest)) {
	t.Helper()
	twoDesks().run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.After(2 * time.Minute)
		worse, better := eth, btc
		worse.UnrealisedPnl, better.UnrealisedPnl = "-60000", "50000"
		s.Node.Update(worse)
		s.After(2 * time.Minute)
		s.Node.Update(better)
		s.AwaitUpdates().Shows("LIVE", "+500.00", "-600.00")
		test(s)
	})
}

// TestRewind shows each time of the past on the whole screen, and then the service again.
func TestRewind(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.After(30*time.Second).Press("w").Shows("REWIND 00:04:3", "00:00 ", " 00:04 live").Lacks("LIVE")
		s.Press("<").Shows("REWIND 00:03:", "(1m ago)", "+346.88", "-600.00").Lacks("+500.00")
		s.Press("w").Shows("go to: ").Press("-2m", "enter").Shows("REWIND 00:01:", "(3m ago)", "+346.88", "-449.20")
		s.Press("w").Press("0:03", "enter").Shows("REWIND 00:03:00", "-600.00", "+346.88")
		s.Press(".").Shows("REWIND 00:04:0", "+500.00").Press(",").Shows("REWIND 00:02:0", "-600.00", "+346.88")
		s.Press("/").Press("eth", "enter").Rows("ETH/USDT")
		s.Press("enter").Shows("desk-2", "margin levels").Press("esc").Press("esc").Shows("REWIND").Rows("BTC/USDT", "ETH/USDT")
		s.Press("esc").Shows("QUIET", "+500.00", "-600.00").Lacks("REWIND", " live")
		s.Press("w", "<", "<").Shows("REWIND", "+346.88", "checked 0s ago").Press("w", "w").Press("noon", "enter").Shows("go to: noon", "a time is 9:00, 14:02:11 or 5m ago")
		s.Press("backspace", "backspace", "backspace", "backspace", "enter").Shows("QUIET", "+500.00").Lacks("REWIND")
	})
}

// TestThePastOfAScope has the rows of the scope alone, although more are followed because of a rule, and all of them
// when the scope is left. What if has them, too.
func TestThePastOfAScope(t *testing.T) {
	desks := twoDesks()
	file, err := config.Parse("a.toml", []byte("[[alert]]\nname = \"loss\"\nfilter = \"upnl<-1k\""))
	if err != nil {
		t.Fatal(err)
	}
	desks.options.Alerts = file.ScreenAlerts()
	desks.run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth)
		s.After(time.Minute).Press("down", "P").Rows("ETH/USDT desk-2")
		s.After(time.Minute).Press("w").Shows("REWIND", "desk-2").Rows("ETH/USDT desk-2").Lacks("was followed")
		s.Press("esc").Lacks("REWIND").Rows("ETH/USDT desk-2")
		s.Press("x").Press("-5%", "enter").Shows("WHAT IF").Rows("ETH/USDT desk-2").Lacks("was followed")
		s.Press("esc").Press("esc").Press("esc").Lacks("WHAT IF").Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
		s.Press("w", "<", "<").Shows("REWIND").Rows("BTC/USDT desk-1", "ETH/USDT desk-2")
	})
}

// TestMarginLevelsOfThePast are those of the time that is shown. There are none at the oldest: the past begins with the
// streams, or with a response of the service, which has none yet.
func TestMarginLevelsOfThePast(t *testing.T) {
	desk(t, func(s *dashboardTest) {
		s.After(30*time.Second).Shows("─ Margin levels", "desk-2       USDT        1,200.00")
		s.Press("w").Shows("REWIND", "─ Margin levels", "desk-2       USDT        1,200.00").Lacks("No margin levels")
		s.Node.PutMargins(maintenance(eth, "60000"))
		s.After(time.Minute).Press("esc").After(time.Second).Shows("desk-2       USDT          600.00").Press("w").Shows("REWIND", "desk-2       USDT          600.00")
		s.Press("<", "<").Shows("desk-2       USDT        1,200.00").Press(">", ">").Shows("desk-2       USDT          600.00")
		s.Press("w").Press("0:03", "enter").Shows("REWIND 00:03:00", "desk-2       USDT        1,200.00")
		s.Press("w").Press("0:03:50", "enter").Shows("REWIND 00:03:50", "desk-2       USDT          600.00")
		s.Press("<", "<", "<", "<", "<").Shows("REWIND", "No margin levels").Lacks("ahead of", "maintenance")
	})
}

// TestMarginLevelsOfThePastAreAsOldAsTheyWere: when the service has not responded, they were not checked.
func TestMarginLevelsOfThePastAreAsOldAsTheyWere(t *testing.T) {
	desk(t, func(s *dashboardTest) {
		s.After(10 * time.Second).Listener.Kill()
		s.After(40*time.Second).Shows("STALE").Press("w").Press("w").Press("-10s", "enter")
		s.Shows("was STALE", "checked ", " UTC · checked ").Lacks("checked 0s ago", "checked 1s ago")
	})
}

// TestMarginLevelsOfAStep are those of the time that is shown, also if it is only some seconds later or earlier.
func TestMarginLevelsOfAStep(t *testing.T) {
	desk(t, func(s *dashboardTest) {
		s.After(time.Minute) // the margin levels are read
		changed := eth
		for _, profit := range []string{"-60001", "-60002", "-60003"} {
			changed.UnrealisedPnl = profit
			s.Node.Update(changed)
			s.Node.PutMargins(maintenance(eth, strings.TrimPrefix(profit, "-")))
			s.After(4 * time.Second)
		}
		s.After(10*time.Second).Press("w").Press("<").Press(".").Shows("-600.01", "desk-2       USDT        1,200.00").Lacks(" 600.01 ")
		s.Press(".").Shows("-600.02", "desk-2       USDT          600.01", "USDT          600.01 ")
		s.Press(",").Shows("-600.01", "desk-2       USDT        1,200.00").Lacks(" 600.01 ")
	})
}

// TestPlayThePast at some speed, and stop it.
func TestPlayThePast(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w").Press("w").Press("0:01:50", "enter").Shows("-449.20").Press("space").Shows(" 1x")
		s.After(15*time.Second).Shows("-600.00", "REWIND 00:02:0")
		s.Press("space").Lacks(" 1x").Press("]", "space").Shows(" 2x")
		s.After(10 * time.Second).Shows("REWIND 00:02:2")
		s.Press("f").Shows("FROZEN 0s").Press("<").Shows("FROZEN  all parties").Press("f").Lacks("FROZEN")
	})
}

// TestTheServiceGoesOnWhileThePastIsShown: nothing is lost, and nothing of the service is shown.
func TestTheServiceGoesOnWhileThePastIsShown(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w", "<", "<").Shows("+346.88", "-600.00")
		opened := btc
		opened.Party, opened.OpenVolume = "a2", 7000
		s.Node.Update(opened)
		s.After(time.Minute).Rows("BTC/USDT desk-1", "ETH/USDT desk-2").Press("esc").Rows("BTC/USDT desk-1", "BTC/USDT desk-2", "ETH/USDT desk-2")
		s.Press("e").Shows("BTC/USDT     desk-2       opened +7.000").Press("esc")
		s.ShowsThePositionsOfTheService()
	})
}

// TestBaselineOfThePast stays when the service is shown again: what has changed since then.
func TestBaselineOfThePast(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w", "w").Press("0:01", "enter").Shows("REWIND 00:01:00").Press("B").Shows("Baseline taken")
		s.Press("esc").Shows("LIVE", "ΔuPnL", "+153.12", "-150.80")
		s.Press("h").Shows("baseline 00:01:00")
	})
}

// TestSessionOfThePast has the totals up to the time that is shown, and events since the oldest time.
func TestSessionOfThePast(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w", "w").Press("0:03", "enter").Press("h").Shows("USDT unrealised PnL  -253.12  lowest -253.12 at 00:02:", "highest -102.32 at 00:00:0")
		s.Press("w").Press("0:01", "enter").Shows("USDT unrealised PnL  -102.32").Lacks("-253.12").Press("esc")
		s.Press("e").Shows("opened -10.000").Press("esc", "esc").Press("h").Shows("highest -100.00 at 00:04:0", "unrealised PnL  -100.00")
	})
}

// TestMovesOfThePast are those from the begin of the session to the time that is shown, not back from a later time.
func TestMovesOfThePast(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w", "w").Press("0:03", "enter").Press("h").After(4*time.Second).Shows("REWIND 00:03:00", "session · since 00:00:00",
			"moves of PnL since 00:00:00", "new +402.02", "new +358.88").Lacks("since 00:03", "since 00:04")
		s.Press("w").Press("0:01", "enter").After(4*time.Second).Shows("moves of PnL since 00:00:00", "new +552.82").Lacks("new +402.02")
	})
}

// TestTimeOfAnEvent: w on an event shows its time.
func TestTimeOfAnEvent(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		more := btc
		more.OpenVolume = 5000
		s.After(time.Second).Node.Update(more)
		s.After(2*time.Minute).Press("e").Shows("grown +1.250 → +5.000").Press("w").Shows("REWIND 00:04:0", "(2m ago)", "+5.000")
		s.Press(",").Shows("+1.250").Press("esc").Shows("QUIET")
	})
}

// TestWhatThePastRefuses: what asks the service or changes names.
func TestWhatThePastRefuses(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w")
		for _, key := range []string{"p", "m", "P", "M", "n", "r"} {
			s.Press(key).Shows("Not in the past: w w enter.").After(11 * time.Second).Lacks("Not in the past")
		}
		s.Press("esc").Press("r").Lacks("Not in the past")
	})
}

// TestSaveThePast to a file that blotter replay plays.
func TestSaveThePast(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("W").Shows(" save to: /").Press("enter").Shows("Saved /")
		files, _ := filepath.Glob(filepath.Join(s.folder, "blotter-*.zst"))
		if len(files) != 1 {
			t.Fatalf("the files are %q", files)
		}
		prints := func(arguments ...string) (printed, warned string) {
			var out, warnings strings.Builder
			code := Run(s.t.Context(), Process{Arguments: arguments, Output: &out, Errors: &warnings, Getenv: func(string) string { return "" }})
			if code != cli.ExitDone {
				t.Errorf("%q: exit %d:\n%s%s", arguments, code, out.String(), warnings.String())
			}
			return out.String(), warnings.String()
		}
		const words = "saved from rewind, with at most one state of a row in a second"
		printed, warned := prints("positions", "--replay", files[0], "--at", "00:03:00", "-o", "csv")
		if !strings.Contains(printed, "-60000") || !strings.Contains(printed, "34688") || !strings.Contains(warned, words+": rows may be up to a second older than --at\n") {
			t.Errorf("it prints\n%sand warns\n%s", printed, warned)
		}
		if printed, warned := prints("positions", "--replay", files[0], "-o", "csv"); !strings.Contains(printed, "50000") || strings.Contains(warned, words) {
			t.Errorf("it prints\n%sand warns\n%s", printed, warned)
		}
		if printed, _ := prints("replay", files[0], "--plain", "--speed", "64"); !strings.Contains(printed, "The recording was "+words+".\n") {
			t.Errorf("the replay begins with\n%s", printed)
		}
	})
}

// TestWhatIf shows the positions at another mark price, and never as live.
func TestWhatIf(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("x").Shows("what if:  eth -5%, all -5%, eth =3000").Press("usdt -5%", "enter").Shows("enter again: all 2 markets, BTC/USDT ETH/USDT")
		s.Press("esc", "x").Press("eth -5%", "enter").Shows("WHAT IF ETH/USDT -5%, maintenance kept, was LIVE")
		s.Rows("BTC/USDT desk-1 +1.250 64,120.5 64,520.5 +500.00", "ETH/USDT desk-2 -10.000 3,410.10 3,296.60 +1,135.05 +1,735.05")
		s.Press("down", "enter").Shows("≈ uPnL             +1,135.05").Lacks("sent as 113505").Press("esc")
		s.Press("Y").Shows("Not in what if; esc ends it.")
		if s.terminal.copied() != "" {
			t.Errorf("the clipboard has %q", s.terminal.copied())
		}
		s.Press("B").Shows("Not in what if").Press("w").Shows("Not in what if").Press("r").Shows("Not in what if")
		s.Press("s", "u").Rows("BTC/USDT", "ETH/USDT").Press("esc").Shows("LIVE", "-600.00").Lacks("WHAT IF", "+1,135.05")
		s.Press("x").Press("usdt -5%", "enter", "enter").Shows("WHAT IF 2 markets -5%, maintenance kept, was LIVE")
		s.Press("h").Shows("session · since", "USDT unrealised PnL  -2,397.48").Press("esc", "esc")
		s.Press("x").Press("all -5%", "enter").Shows("WHAT IF all 2 markets -5%, maintenance kept, was LIVE")
		s.Press("h").Shows("USDT unrealised PnL  -2,397.48").Press("esc", "esc")
		s.Press("x").Press("eth =3410.10 btc -5%", "enter").Shows("WHAT IF ETH/USDT =3410.10, BTC/USDT -5%").Rows("BTC/USDT desk-1 +1.250 64,120.5 61,294.5 -3,532.53 -4,032.53", "ETH/USDT desk-2 -10.000 3,410.10 3,410.10 ? +600.0") // the PnL there is less than it may be wrong by
	})
}

// TestWhatIfBeginsAtTheWorst then, unless the trader has moved the cursor: that position stays selected.
func TestWhatIfBeginsAtTheWorst(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("T").Shows("▌ETH/USDT").Press("x", "eth -5%", "enter").Shows("WHAT IF ETH/USDT -5%", "▌BTC/USDT").Rows("BTC/USDT", "ETH/USDT")
		s.Press("esc", "down", "up").Press("down").Shows("▌BTC/USDT").Press("x", "btc +5%", "enter").Shows("▌BTC/USDT").Rows("ETH/USDT", "BTC/USDT")
	})
}

// TestWhatIfIsEdited by the same key, from the scenario that is shown.
func TestWhatIfIsEdited(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("x", "eth -5%", "enter").Shows("WHAT IF ETH/USDT -5%", "+1,135.05")
		s.Press("x").Shows("what if: eth -5%").Press("backspace", "backspace", "enter").Shows("what if: eth -   changes such as eth -5%, all -5% btc -10%, eth =3000")
		s.Press("q").Shows("what if: eth -q").Press("backspace", "1%", "enter").Shows("WHAT IF ETH/USDT -1%", "was LIVE", "-252.99")
		s.Press("x", "esc").Shows("WHAT IF ETH/USDT -1%").Press("esc").Shows("LIVE", "-600.00").Lacks("WHAT IF")
	})
}

// TestWhatIfThatIsRefusedIsTyped: in the past it is refused, and what is typed for it does not become keys.
func TestWhatIfThatIsRefusedIsTyped(t *testing.T) {
	rewindTest(t, func(s *dashboardTest) {
		s.Press("w", "x").Shows("what if:  not in the past")
		s.Press("eth -5%", "enter").Shows("what if: eth -5%   Not in the past: w w enter.")
		s.Press("q", "esc").Shows("REWIND").Press("esc").Shows("LIVE")
	})
}
