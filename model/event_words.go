package model

// Words returns the changes as texts, one for each kind: "flipped +5.000 → -3.000" and "status DISTRESSED". number
// formats an amount of a field: the open volume or the loss socialisation amount.
func (e *Event) Words(number func(Field, Amount) string) []string {
	before, after := e.Before(), e.After()
	was, is := number(OpenVolume, before.Size), number(OpenVolume, after.Size)
	var parts []string
	for _, kind := range e.Kinds.Names() {
		switch kind {
		case "opened":
			kind += " " + is
		case "closed", "removed":
			kind += ", was " + was
		case "flipped", "grown", "reduced":
			kind += " " + was + " → " + is
		case "status":
			kind = statusChangeWords(&before, &after)
		case "loss":
			kind = "loss socialised "
			if !before.LossSocialised.IsZero() {
				kind += number(LossSocialisationAmount, before.LossSocialised) + " → "
			}
			kind += number(LossSocialisationAmount, after.LossSocialised)
		}
		parts = append(parts, kind)
	}
	return parts
}

func statusChangeWords(before, after *EventState) string {
	if words := after.StatusWords(); words != "" {
		return "status " + words
	}
	return "status none, was " + before.StatusWords()
}

// SourceWords returns how an event without an exact time was found; empty for events of the active stream.
func (e *Event) SourceWords() string {
	_, exact := e.At()
	switch {
	case exact:
		return ""
	case e.Source == ChangedByAudit:
		return "found by an audit"
	case e.Source == ChangedBySnapshot:
		return "while not connected"
	}
	return "without a usable time"
}
