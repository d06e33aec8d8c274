#!/bin/sh
# Prints the rows of a positions stream, one a line, with the tools that everybody has: what BenchmarkLoopback
# compares with.
curl -sN "$1" | jq -c '.result | (.snapshot // .updates).positions[]? | [.partyId, .marketId, .openVolume, .unrealisedPnl]' >/dev/null
