package feed

import (
	"math/rand/v2"
	"time"
)

// backoff is how long to wait before the next try after so many failures in a row: three times as long each
// time, from first up to longest, and half of it by chance, so that clients do not come back in step. With
// the usual times that spreads the tries that an address may see in a minute over the whole of it.
func backoff(first, longest time.Duration, failures int) time.Duration {
	wait := min(first, longest)
	for range failures - 1 {
		if wait *= 3; wait >= longest {
			wait = longest
			break
		}
	}
	return wait/2 + rand.N(wait/2+1)
}
