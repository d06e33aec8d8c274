package view

import (
	"time"

	"blotter/model"
	"blotter/model/filter"
)

// AlertRule is an alert that a trader has set. It begins for a position that matches Filter, for the time in For. It
// ends if the position no longer matches Filter, and is closed, or matches Clear, or there is no Clear.
//
// A rule about a group does so for the sums of the group in an asset: its positions together are its only subject, with
// the zero Key. Filter and Clear are those of filter.ParseSums.
type AlertRule struct {
	Name   string
	Group  string // its name; empty if the rule is about positions
	Asset  string // of the sums of the group: its symbol or its identifier
	Filter *filter.Query
	Clear  *filter.Query // nil if there is none
	IsOff  bool          // it begins for no position
	OfFeed bool          // it is about the feed: what evaluates it is elsewhere
	OfDesk bool          // the desk evaluates it for all its traders: see DeskAlerts
	For    time.Duration // how long a position must match Filter, without a break, before it begins; 0: it begins at once
	Again  time.Duration // how long it lasts until it is reported once more, and then again; 0: it is reported once
}

// MaxAlerts is for how many positions a rule can be in alert, with those for which it is about to begin.
const MaxAlerts = 1000

// isEvaluated reports whether a rule is on, and evaluated here.
func (r *AlertRule) isEvaluated() bool { return !r.IsOff && !r.OfDesk }

// find returns the place of the group and the asset of a rule, and false if one of them is not known.
func (r *AlertRule) find(in *model.Instruments) (group int, asset model.ID, ok bool) {
	group = model.FindGroup(in.Groups(), r.Group)
	asset, isOne := in.FindAsset(r.Asset)
	return group, asset, group >= 0 && isOne
}

// Decides is what a row may decide, or the rows of a group together.
type Decides uint8

// What a row may decide, the least last.
const (
	DecidesAll     Decides = iota
	DecidesBegins          // its stream is a little behind: alerts begin, but none ends
	DecidesNothing         // it may be out of date
)

// DecidesOf returns what the position of a rule may decide, or the group that the rule is about.
type DecidesOf func(rule int, key model.Key) Decides
