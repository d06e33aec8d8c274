package model

// These are exported for the tests outside of the package.
const StatusText = statusText

var CompareScaled = compareScaled
