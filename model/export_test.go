package model

// What tests outside of the package compare with.
const StatusText = statusText

var CompareScaled = compareScaled
