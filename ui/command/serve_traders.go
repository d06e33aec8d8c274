package command

import (
	"context"
	"fmt"
	"strings"

	"blotter/feed/access"
	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/remote"
	"blotter/ui/command/system"
)

// traderConfig is a trader of the configuration.
type traderConfig = config.Trader

// traders are who may connect, and what each may see.
type traders struct {
	keys   []remote.Trader
	rights map[string]access.Rights // by the name of the trader
}

// maxKeysFile is how many bytes a file with public keys may have.
const maxKeysFile = 64 << 10

// readTraders returns the traders of the configuration, with the keys of their files.
func readTraders(ctx context.Context, file *config.File, instruments *model.Instruments) (traders, error) {
	result := traders{rights: make(map[string]access.Rights)}
	if len(file.Traders) == 0 {
		return result, cli.UsageError("no trader may connect: add [[trader]] to the configuration file, with the keys and the parties of each")
	}
	for i := range file.Traders {
		of := &file.Traders[i]
		keys, err := traderKeys(ctx, file, i)
		if err != nil {
			return result, err
		}
		result.keys = append(result.keys, keys)
		result.rights[of.Name] = access.Rights{
			Parties: setOf(of.Parties, instruments.FindParty), Markets: setOf(of.Markets, instruments.FindMarket),
		}
	}
	return result, nil
}

// traderKeys returns the keys of a trader.
func traderKeys(ctx context.Context, file *config.File, i int) (remote.Trader, error) {
	of, section := &file.Traders[i], fmt.Sprintf("trader[%d].", i)
	result := remote.Trader{Name: of.Name}
	keys, err := remote.ParseKeys(strings.Join(of.Keys, "\n"))
	if err != nil {
		return result, file.Wrap(section+"keys", err)
	}
	result.Keys = keys
	if of.KeysFile == "" {
		return result, nil
	}
	path := file.ResolvePath(of.KeysFile)
	text, err := system.ReadFile(ctx, path, maxKeysFile)
	if err != nil {
		return result, file.Wrap(section+"keys_file", err)
	}
	if keys, err = remote.ParseKeys(string(text)); err != nil {
		return result, file.Wrap(section+"keys_file", fmt.Errorf("%s: %w", path, err))
	}
	result.Keys = append(result.Keys, keys...)
	return result, nil
}

// setOf returns the set of what names or identifiers mean.
func setOf(texts []string, find func(string) model.ID) access.Set {
	if len(texts) == 1 && texts[0] == access.All {
		return access.Everything()
	}
	return access.SetOf(identifiers(texts, find)...)
}

// readTradersAgain reads the traders again after each hang-up, until ctx ends. If they are wrong, the old ones stay.
func (d *servedDesk) readTradersAgain(ctx context.Context, hangups <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
		}
		switch read, err := d.useTraders(ctx); {
		case err == nil:
			d.warn(fmt.Errorf("traders were read: %d", read))
		case ctx.Err() == nil:
			d.warn(fmt.Errorf("the old traders stay: %w", err))
		}
	}
}

// useTraders reads the traders and replaces the old ones. The sessions of those who may see less end. It returns how
// many traders there are now.
func (d *servedDesk) useTraders(ctx context.Context) (count int, err error) {
	file, err := d.readConfig(ctx)
	if err != nil {
		return 0, err
	}
	instruments := file.Instruments // which may have names that the traders have too
	if d.configuration.demo {
		instruments = d.instruments
	}
	read, err := readTraders(ctx, file, instruments)
	if err != nil {
		return 0, err
	}
	before := d.replaceTraders(read)
	reduced := make(map[string]bool)
	for name, old := range before.rights {
		reduced[name] = !read.rights[name].Include(old)
	}
	if err := d.server.SetTraders(read.keys, reduced); err != nil {
		d.replaceTraders(before)
		return 0, err
	}
	return len(read.keys), nil
}

// replaceTraders replaces the traders and returns those before.
func (d *servedDesk) replaceTraders(by traders) (before traders) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, d.traders = d.traders, by
	return before
}

// rightsOf returns what a trader may see.
func (d *servedDesk) rightsOf(trader string) access.Rights {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.traders.rights[trader]
}
