package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// benchmarkMessage is a message of fifty positions as a known service writes them: about 550 bytes each, with eight
// members that are not read.
func benchmarkMessage(reordered bool) []byte {
	const fees = `"takerFeesPaid":"433","makerFeesReceived":"5395","feesPaid":"6713","takerFeesPaidSince":"0",` +
		`"makerFeesReceivedSince":"0","feesPaidSince":"0","fundingPaymentAmount":"-8513","fundingPaymentAmountSince":"0"`
	var b bytes.Buffer
	b.WriteString(`{"result":{"updates":{"positions":[`)
	for i := range 50 {
		if i > 0 {
			b.WriteByte(',')
		}
		market, party := fmt.Sprintf("%064x", i*7919), fmt.Sprintf("%064x", i*104729)
		if reordered {
			fmt.Fprintf(&b, `{%s,"positionStatus":4,"lossSocialisationAmount":"0","updatedAt":"1795240360702446000","averageEntryPrice":"1177950035",`+
				`"unrealisedPnl":"-3636414936","realisedPnl":"1282276111","openVolume":"-3765929","partyId":"%s","marketId":"%s"}`, fees, party, market)
			continue
		}
		fmt.Fprintf(&b, `{"marketId":"%s","partyId":"%s","openVolume":"-3765929","realisedPnl":"1282276111","unrealisedPnl":"-3636414936",`+
			`"averageEntryPrice":"1177950035","updatedAt":"1795240360702446000","lossSocialisationAmount":"0","positionStatus":4,%s}`, market, party, fees)
	}
	b.WriteString("]}}}\n")
	return b.Bytes()
}

// repeated reads a text again and again.
type repeated struct {
	text []byte
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// readByStructs returns a function that reads the next message with encoding/json into structs, the usual way.
func readByStructs(body io.Reader) func() error {
	type position struct {
		AverageEntryPrice       string `json:"averageEntryPrice"`
		LossSocialisationAmount string `json:"lossSocialisationAmount"`
		MarketID                string `json:"marketId"`
		OpenVolume              string `json:"openVolume"`
		PartyID                 string `json:"partyId"`
		PositionStatus          int    `json:"positionStatus"`
		RealisedPnl             string `json:"realisedPnl"`
		UnrealisedPnl           string `json:"unrealisedPnl"`
		UpdatedAt               string `json:"updatedAt"`
	}
	decoder := json.NewDecoder(body)
	return func() error {
		var m struct {
			Result struct {
				Snapshot struct {
					Positions []position `json:"positions"`
					LastPage  bool       `json:"lastPage"`
				} `json:"snapshot"`
				Updates struct {
					Positions []position `json:"positions"`
				} `json:"updates"`
			} `json:"result"`
		}
		return decoder.Decode(&m)
	}
}

// BenchmarkDecode measures how fast messages are read: with the members of a position in two orders, and with decimal
// points in amounts. The ratio is how many times as long encoding/json takes to read the same messages into structs.
func BenchmarkDecode(b *testing.B) {
	withPoints := strings.NewReplacer(`"-3765929"`, `"-3765.929"`, `"1282276111"`, `"1282.276111"`, `"-3636414936"`, `"-3636.414936"`,
		`"1177950035"`, `"11779.50035"`, `SocialisationAmount":"0"`, `SocialisationAmount":"0.000000"`)
	for name, text := range map[string][]byte{
		"usual order": benchmarkMessage(false),
		"other order": benchmarkMessage(true),
		"decimals":    []byte(withPoints.Replace(string(benchmarkMessage(false)))),
	} {
		b.Run(name, func(b *testing.B) {
			var m Message
			source := NewReader(&repeated{text: text}, testLimits)
			reader := func() error { return source.Next(&m) }
			structs := readByStructs(&repeated{text: text})
			if err := reader(); err != nil || len(m.Updates) != 50 {
				b.Fatal(len(m.Updates), err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := reader(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ratio(b, structs, reader), "ratio")
		})
	}
}

// ratio returns how many times as long the first step takes as the second. They take turns, and the shortest time of
// each counts, because other programs use the machine too.
func ratio(b *testing.B, first, second func() error) float64 {
	const turns, steps = 40, 20
	best := [2]time.Duration{time.Hour, time.Hour}
	for range turns {
		for i, step := range []func() error{first, second} {
			began := time.Now()
			for range steps {
				if err := step(); err != nil {
					b.Fatal(err)
				}
			}
			best[i] = min(best[i], time.Since(began))
		}
	}
	return float64(best[0]) / float64(best[1])
}
