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
func (c *serveCommand) readTraders(ctx context.Context, from *configuration) (traders, error) {
	result := traders{rights: make(map[string]access.Rights)}
	if len(from.file.Traders) == 0 {
		return result, cli.UsageError("no trader may connect: add [[trader]] to the configuration file, with the keys and the parties of each")
	}
	for i := range from.file.Traders {
		of := &from.file.Traders[i]
		keys, err := traderKeys(ctx, from.file, i)
		if err != nil {
			return result, err
		}
		result.keys = append(result.keys, keys)
		result.rights[of.Name] = access.Rights{
			Parties: setOf(of.Parties, from.instruments.FindParty), Markets: setOf(of.Markets, from.instruments.FindMarket),
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
		if err := d.useTraders(ctx); err != nil && ctx.Err() == nil {
			d.warn(fmt.Errorf("the traders stay as they were: %w", err))
			continue
		}
		d.warn(fmt.Errorf("%d traders were read", len(d.file.Traders)))
	}
}

// useTraders reads the traders and replaces the old ones. The sessions of those who may see less end.
func (d *servedDesk) useTraders(ctx context.Context) error {
	file, err := d.readConfig(ctx)
	if err != nil {
		return err
	}
	from := *d.configuration
	from.file = file
	read, err := d.readTraders(ctx, &from)
	if err != nil {
		return err
	}
	before := d.replaceTraders(read)
	reduced := make(map[string]bool)
	for name, old := range before.rights {
		reduced[name] = !read.rights[name].Include(old)
	}
	if err := d.server.SetTraders(read.keys, reduced); err != nil {
		d.replaceTraders(before)
		return err
	}
	d.file.Traders = file.Traders
	return nil
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
