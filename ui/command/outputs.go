package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/command/system"
	"blotter/ui/export"
	"blotter/ui/format"
)

// outputs are what a run writes to: standard output, standard error, and a log.
type outputs struct {
	stdout   *cli.CheckedOutput
	stderr   io.Writer
	log      *system.Log // nil if there is none
	panics   *system.PanicHandler
	unscaled bool // a warning of numbers without known decimals was written
}

func (o *outputs) warn(err error) { fmt.Fprintln(o.stderr, cli.Message(err)) }

// report writes an error to standard error. An interrupt is no error.
func (o *outputs) report(err error) {
	if code := cli.ExitCode(err); code != cli.ExitInterrupted && code != cli.ExitDone {
		o.warn(err)
	}
}

func (o *outputs) printText(text string) error {
	_, err := io.WriteString(o.stdout, text)
	return cli.OutputError(err)
}

func (o *outputs) printLine(line string) error { return o.printText(model.Neutralise(line) + "\n") }

func (o *outputs) printLines(lines []string) error {
	return o.printText(strings.Join(lines, "\n") + "\n")
}

// printResult prints what a function writes, and warns of what it did not write.
func (o *outputs) printResult(write func(io.Writer) (export.Result, error)) error {
	return cli.Print(o.stdout, func(output io.Writer) error {
		result, err := write(output)
		if result.Unscaled > 0 {
			o.unscaled = true
			o.warn(fmt.Errorf("--scaled: %s without known decimals left empty; set the decimals in the configuration",
				format.Counted(result.Unscaled, "number")))
		}
		if len(result.LeftOut) > 0 {
			o.warn(errors.New("the terminal is too narrow for " + strings.Join(result.LeftOut, ", ") + "; --columns chooses columns"))
		}
		return err
	})
}

// warnOfUnscaled warns, once, of numbers that are written empty while more is still to be written.
func (o *outputs) warnOfUnscaled(unscaled int) {
	if unscaled > 0 && !o.unscaled {
		o.unscaled = true
		o.warn(errors.New("--scaled: numbers without known decimals are left empty; set the decimals in the configuration"))
	}
}

func (o *outputs) openLogFile(path string) (err error) {
	if o.log, err = system.OpenLog(path); err != nil {
		return cli.UsageError("--log-file: %s cannot be written: %w", path, system.WithoutPath(err))
	}
	o.panics.LogTo(o.log.Direct(), path)
	return nil
}

// closeLog warns if lines of the log are missing.
func (o *outputs) closeLog() {
	if err := o.log.Close(); err != nil {
		o.warn(err)
	}
}
