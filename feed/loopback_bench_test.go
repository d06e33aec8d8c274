package feed

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// streamOf returns a stream of the service: a snapshot of the given number of positions, the given number of updates of
// them, and an update of one more position. Each message has 50 positions with eight keys that are not read.
func streamOf(positions, updates int) []byte {
	var b bytes.Buffer
	message := func(kind, end string, from, to int, of func(i int) int) {
		fmt.Fprintf(&b, `{"result":{"%s":{"positions":[`, kind)
		for i := from; i < to; i++ {
			if i > from {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"marketId":"%064x","partyId":"%064x","openVolume":"%d","realisedPnl":"1282276111","unrealisedPnl":"%d",`+
				`"averageEntryPrice":"1177950035","updatedAt":"%d","lossSocialisationAmount":"0","positionStatus":4,"takerFeesPaid":"433",`+
				`"makerFeesReceived":"5395","feesPaid":"6713","takerFeesPaidSince":"0","makerFeesReceivedSince":"0","feesPaidSince":"0",`+
				`"fundingPaymentAmount":"-8513","fundingPaymentAmountSince":"0"}`, of(i)%50, of(i)/50, i+1, i-1_000_000, 1795240360702446000+i)
		}
		b.WriteString("]" + end + "}}}\n")
	}
	for from := 0; from < positions; from += 50 {
		end := ""
		if from+50 >= positions {
			end = `,"lastPage":true`
		}
		message("snapshot", end, from, min(from+50, positions), func(i int) int { return i })
	}
	for from := 0; from < updates; from += 50 {
		message("updates", "", from, min(from+50, updates), func(i int) int { return i * 7919 % positions })
	}
	message("updates", "", 0, 1, func(int) int { return positions })
	return b.Bytes()
}

// BenchmarkLoopback measures the whole way: from a response body over a loopback socket until everything is merged into
// a view in order. Raw numbers, whose decimals are not known, take longer to order. If curl and jq are installed,
// they print the same stream row by row in the same run.
func BenchmarkLoopback(b *testing.B) {
	var markets []model.Market
	asset := model.Asset{ID: model.MakeID("asset"), Decimals: 6}
	for i := range 50 {
		markets = append(markets, model.Market{ID: model.MakeID(fmt.Sprintf("%064x", i)), Asset: asset.ID, PriceDecimals: 2, SizeDecimals: 3})
	}
	b.Run("decimals", func(b *testing.B) {
		benchmarkLoopback(b, model.NewInstruments(nil, markets, []model.Asset{asset}))
	})
	b.Run("raw", func(b *testing.B) { benchmarkLoopback(b, model.NewInstruments(nil, nil, nil)) })
}

func benchmarkLoopback(b *testing.B, instruments *model.Instruments) {
	const positions, updates = 20_000, 200_000
	stream := streamOf(positions, updates)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(stream)
		w.(http.Flusher).Flush()
		if r.UserAgent() == "blotter" {
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	last := model.Key{Party: model.MakeID(fmt.Sprintf("%064x", positions/50)), Market: model.MakeID(fmt.Sprintf("%064x", positions%50))}

	b.SetBytes(int64(len(stream)))
	var blotter time.Duration
	for b.Loop() {
		start := time.Now()
		mergeUntil(b, server.URL, last, instruments)
		blotter += time.Since(start)
	}
	blotter /= time.Duration(b.N)
	b.ReportMetric(float64(positions+updates)/blotter.Seconds(), "positions/s")
	if curlAndJQ, ok := printByJQ(b, server.URL+wire.StreamPath); ok {
		b.ReportMetric(float64(curlAndJQ)/float64(blotter), "x-faster-than-curl|jq")
	}
}

// mergeUntil follows the stream until the position with the key is merged.
func mergeUntil(b *testing.B, url string, last model.Key, instruments *model.Instruments) {
	f, err := New(Config{Service: endpoint.Service{BaseURLs: []string{url}}})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	f.Watch(model.Scope{}.Subscriptions(nil, 1))
	all := book.New(0)
	v := view.New(all, model.Scope{}, view.Filter{}, view.Order{Column: view.UnrealisedColumn}, instruments)
	for {
		if _, ok := all.Find(last); ok {
			return
		}
		delta, err := f.Next(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		for _, snapshot := range delta.Snapshots {
			all = all.Replaced(snapshot)
			v = view.New(all, model.Scope{}, view.Filter{}, view.Order{Column: view.UnrealisedColumn}, instruments)
		}
		for changes, ok := delta.ApplyTo(all); ok; changes, ok = delta.ApplyTo(all) {
			v.Apply(changes)
		}
	}
}

// printByJQ returns how long testdata/rows.sh takes, which prints the rows with curl and jq.
func printByJQ(b *testing.B, url string) (time.Duration, bool) {
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			b.Logf("without comparison: no %s", tool)
			return 0, false
		}
	}
	start := time.Now()
	if output, err := exec.Command("sh", "testdata/rows.sh", url).CombinedOutput(); err != nil {
		b.Fatalf("testdata/rows.sh: %v\n%s", err, output)
	}
	return time.Since(start), true
}
