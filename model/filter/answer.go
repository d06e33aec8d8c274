package filter

// Answer is whether something is met: it may not be known.
type Answer uint8

// The answers.
const (
	No Answer = iota
	Unknown
	Yes
)

// AnswerOf returns Yes or No.
func AnswerOf(isMet bool) Answer {
	if isMet {
		return Yes
	}
	return No
}

// Not returns the opposite. That of Unknown is Unknown.
func (a Answer) Not() Answer { return Yes - a }

// then returns AnswerOf(isMet) if the answer is Yes, else the answer.
func (a Answer) then(isMet bool) Answer {
	if a == Yes {
		return AnswerOf(isMet)
	}
	return a
}

// Answer returns whether the query matches, given whether each condition is met. It is Unknown if that depends on
// conditions of which it is not known.
func (q *Query) Answer(meets func(Condition) Answer) Answer {
	all := Yes
	for _, t := range q.Terms() {
		any := No
		for _, c := range t.Any {
			any = max(any, meets(c))
		}
		if t.Negated {
			any = any.Not()
		}
		all = min(all, any)
	}
	return all
}
