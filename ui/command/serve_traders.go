package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"

	"blotter/feed/access"
	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/credentials"
	"blotter/ui/command/remote"
)

type traderConfig = config.Trader

// traders are who may connect, and what each may see.
type traders struct {
	keys   []remote.Trader
	rights map[string]access.Rights // by the name of the trader
}

// readTraders returns the traders of the configuration, with the keys of their files. The problems are those of files
// that could not be read: their traders have the keys of the last time.
func readTraders(
	ctx context.Context, file *config.File, instruments *model.Instruments, files *keysFiles,
) (_ traders, problems []error, err error) {
	result := traders{rights: make(map[string]access.Rights)}
	if len(file.Traders) == 0 {
		return result, nil, cli.UsageError("no trader may connect: add [[trader]] to the configuration file, with the keys and the parties of each")
	}
	read := files.readAll(ctx, keysPaths(file))
	for i := range file.Traders {
		of, section := &file.Traders[i], fmt.Sprintf("trader[%d].", i)
		keys, err := traderKeys(strings.Join(of.Keys, "\n"))
		if err != nil {
			return result, nil, file.Wrap(section+"keys", fmt.Errorf("trader %s: %w", of.Name, err))
		}
		if of.KeysFile != "" {
			ofFile := read[file.ResolvePath(of.KeysFile)]
			keys = append(keys, ofFile.keys...)
			if ofFile.err != nil {
				problems = append(problems, file.Wrap(section+"keys_file", fmt.Errorf("trader %s: %w", of.Name, ofFile.err)))
			}
		}
		result.keys = append(result.keys, remote.Trader{Name: of.Name, Keys: keys})
		result.rights[of.Name] = access.Rights{
			Parties: setOf(of.Parties, instruments.FindParty), Markets: setOf(of.Markets, instruments.FindMarket),
		}
	}
	return result, problems, nil
}

// checkServe returns the first problem for which blotter serve does not start, if the file has traders. It opens no
// port and writes nothing.
func checkServe(ctx context.Context, file *config.File) error {
	if len(file.Traders) == 0 {
		return nil
	}
	if _, port, err := net.SplitHostPort(file.Serve.Listen); err != nil {
		return file.Wrap("serve.listen", errors.New(`not an address such as "0.0.0.0:2222" or ":2222"`))
	} else if _, err := net.DefaultResolver.LookupPort(ctx, "tcp", port); err != nil {
		return file.Wrap("serve.listen", fmt.Errorf("%q is not a port", port))
	}
	traders, problems, err := readTraders(ctx, file, file.Instruments, newKeysFiles())
	if err == nil && len(problems) > 0 {
		err = problems[0]
	}
	if err != nil {
		return err
	}
	if err := remote.CheckTraders(traders.keys); err != nil {
		return cli.UsageError("%w", err)
	}
	if file.Serve.HostKey == "" {
		return nil
	}
	if _, err := credentials.ExistingHostKey(file.ResolvePath(file.Serve.HostKey)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return file.Wrap("serve.host_key", err)
	}
	return nil
}

func keysPaths(file *config.File) []string {
	var paths []string
	for i := range file.Traders {
		if of := &file.Traders[i]; of.KeysFile != "" {
			paths = append(paths, file.ResolvePath(of.KeysFile))
		}
	}
	return paths
}

// traderKeys returns the keys of a text in the format of authorized_keys.
func traderKeys(text string) ([]ssh.PublicKey, error) {
	keys, err := remote.ParseKeys(text)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if err := credentials.CheckStrength(key); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

func setOf(texts []string, find func(string) model.ID) access.Set {
	if len(texts) == 1 && texts[0] == access.All {
		return access.Everything()
	}
	return access.SetOf(identifiers(texts, find)...)
}

// readTradersAgain reads the traders again after each hang-up, until ctx ends. If they are wrong, the old ones stay. If
// only files of keys cannot be read, their keys stay.
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
	timed, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	file, err := d.readConfig(timed)
	if err != nil {
		return 0, err
	}
	instruments := file.Instruments // which may have names that the traders have too
	if d.configuration.demo {
		instruments = d.instruments
	}
	read, problems, err := readTraders(ctx, file, instruments, d.keysFiles)
	if err != nil {
		return 0, err
	}
	for _, problem := range problems {
		d.warn(fmt.Errorf("the old keys of this file stay: %w", problem))
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

func (d *servedDesk) replaceTraders(by traders) (before traders) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, d.traders = d.traders, by
	return before
}

func (d *servedDesk) rightsOf(trader string) access.Rights {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.traders.rights[trader]
}
