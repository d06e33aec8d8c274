package modeltest

import (
	"flag"
	"runtime/debug"
	"testing"
)

// Run runs the tests of a package whose tests make many small screens, and is called by its TestMain. Collecting
// garbage takes a fifth of their time if it begins whenever their few megabytes have doubled. Benchmarks measure with
// the collector of a program.
func Run(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(1000)
		debug.SetMemoryLimit(512 << 20)
	}
	m.Run()
}
