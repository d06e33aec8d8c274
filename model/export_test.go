package model

// These are exported for the tests outside of the package.
const StatusText = statusText

// Agrees reports what Position.Agrees does if audits compare these numbers.
func Agrees(p, q *Position, isCompared func(Field) bool) bool { return p.agrees(q, isCompared) }
