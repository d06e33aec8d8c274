package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// profileName is the form of the name of a profile: a shell does not change it, and it has none of the points that
// separate keys.
var profileName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Profiles returns the names of the profiles in the file, sorted.
func (f *File) Profiles() []string { return slices.Sorted(maps.Keys(f.profiles)) }

// Choices returns the profiles that can be chosen: all of them, and first the empty name, which means the file without
// a profile, if that has addresses.
func (f *File) Choices() []string {
	if len(f.plain.Service.BaseURLs) == 0 {
		return f.Profiles()
	}
	return append([]string{""}, f.Profiles()...)
}

// WithProfile returns the file with the keys of a profile in place of the others, or without a profile if the name is
// empty. The error is for a name that no profile has.
func (f *File) WithProfile(name string) (*File, error) {
	if name == "" {
		return f.plain, nil
	}
	if f.profiles[name] == nil {
		return nil, f.noProfile(name)
	}
	profiled := *f.profiles[name]
	profiled.Instruments, profiled.names = f.Instruments, f.names
	return &profiled, nil
}

// checkProfiles checks the file with each profile.
func (f *File) checkProfiles() error {
	for _, name := range f.Profiles() {
		profiled := f.profiles[name]
		if err := cmp.Or(profiled.Service.check(&profiled.places), profiled.Watch.check(&profiled.places),
			profiled.checkScreen(), profiled.checkViews()); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) noProfile(name string) error {
	switch names := f.Profiles(); {
	case f.Path == "":
		return fmt.Errorf("there is no profile %q, because there is no configuration file", name)
	case len(names) == 0:
		return fmt.Errorf("%s has no profile: [profile.%s]", f.Path, name)
	default:
		return fmt.Errorf("%q is not a profile in %s, which has %s", name, f.Path, strings.Join(names, ", "))
	}
}

// readProfiles reads all profiles, and returns what is wrong with them.
func (f *File) readProfiles(value any) []problem {
	mustBe := errors.New("must be sections: [profile.NAME]")
	named, ok := value.(map[string]any)
	if !ok {
		return []problem{{"profile", mustBe}}
	}
	f.profiles = make(map[string]*File, len(named))
	var problems []problem
	for name, value := range named {
		values, ok := value.(map[string]any)
		switch {
		case !ok:
			problems = append(problems, problem{"profile." + name, mustBe})
			continue
		case !profileName.MatchString(name):
			problems = append(problems, problem{"profile." + name, errors.New("must be named with letters, digits, - and _")})
			continue
		}
		profiled := *f
		profiled.Profile, profiled.inEffect = name, maps.Clone(f.inEffect)
		profiled.forgetService(values)
		if _, own := values[viewSection]; own {
			profiled.Views = nil
		}
		f.profiles[name] = &profiled
		problems = append(problems, profiled.readSections(profileSection+"."+name+".", values, true)...)
	}
	return problems
}

// forgetService sets keys of [service] to their defaults before those of a profile are read. A profile with addresses
// has nothing of [service]: a token, a certificate and headers are only for the addresses beside them. And a profile
// with one source of a token does not have the other.
func (f *File) forgetService(profile map[string]any) {
	own, _ := profile["service"].(map[string]any)
	_, hasAddresses := own["base_urls"]
	_, hasFile := own["token_file"]
	_, hasCommand := own["token_command"]
	for _, key := range f.Service.keys() {
		isToken := key.name == "token_file" || key.name == "token_command"
		if hasAddresses || isToken && (hasFile || hasCommand) {
			key.kind.reset()
			delete(f.inEffect, "service."+key.name)
		}
	}
}
