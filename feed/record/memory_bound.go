package record

// bound makes room.
func (m *Memory) bound() {
	if len(m.open.data) > 0 && m.last-m.began >= openBlockTime {
		m.seal()
	}
	for !m.isOff && len(m.blocks) > 0 && (m.used() > m.options.Bytes || m.blocks[0].end < m.last-m.options.Duration) {
		if err := m.fold(); err != nil {
			m.turnOff()
		}
	}
	m.turnOffIfTooSmall()
}

// rows returns how much memory the oldest state takes, and used how much everything does, about.
func (m *Memory) rows() int { return (m.base.Len() + m.base.Margins().Len()) * bytesOfRow }

func (m *Memory) used() int { return m.rows() + m.size + m.open.size() }

// fold applies the oldest block to the state before it.
func (m *Memory) fold() error {
	r := &memoryReader{blocks: m.blocks, unzip: m.unzip}
	if _, err := r.open(0); err != nil {
		return err
	}
	m.size -= m.blocks[0].size
	m.blocks[0] = memoryBlock{}
	m.blocks = m.blocks[1:]
	return applyRest(r, m.base)
}

// turnOffIfTooSmall drops everything if the rows alone take too much memory.
func (m *Memory) turnOffIfTooSmall() {
	rows := 0
	for _, each := range m.sizes {
		rows += each
	}
	if max(m.rows(), rows*bytesOfRow) > m.options.Bytes/4*3 {
		m.turnOff()
	}
}

// turnOff drops everything: the rows alone take too much memory.
func (m *Memory) turnOff() {
	m.isOff = true
	m.queue.close()
	m.sizes = nil
	m.base, m.blocks, m.size, m.open = newTakingState(&m.options.Header, 0, m.options.Secrets), nil, 0, openBlock{}
}
