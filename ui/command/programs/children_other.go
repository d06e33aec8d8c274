//go:build !unix

package programs

import "os/exec"

// EndWithChildren does nothing: here a program is killed alone, because there is no simple way to find the programs
// that it has started.
func EndWithChildren(*exec.Cmd) {}
