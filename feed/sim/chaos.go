package sim

import "context"

func (n *Node) chaos(ctx context.Context) { <-ctx.Done() }
