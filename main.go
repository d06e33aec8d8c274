// Blotter shows positions and margin levels of a trading data service live in a terminal.
package main

import (
	"os"

	"blotter/ui/command"
)

func main() { os.Exit(command.Main()) }
