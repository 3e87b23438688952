func terminated(value []byte) []byte {
	return append(bytes.ReplaceAll(value, []byte{0}, []byte{0, 1}), 0, 0)
}

func unterminated(value []byte) inverted {
	if !bytes.HasSuffix(value, []byte{0, 0}) {
		return notInverted
	}
	out := []byte{}
	for at := 0; at < len(value)-2; at++ {
		out = append(out, value[at])
		if value[at] == 0 {
			at++
		}
	}
	return inverted{how: inverseExact, value: out}
}

func uuidOf(value []byte) ([]byte, error) {
	digits := value
	if len(value) == 36 {
		for at, one := range value {
			dash := at == 8 || at == 13 || at == 18 || at == 23
			if dash != (one == '-') {
				return nil, refused("%q is no UUID", value)
			}
		}
		digits = bytes.ReplaceAll(value, []byte("-"), nil)
	}
	out, err := hex.DecodeString(string(digits))
	if err != nil || len(out) != 16 {
		return nil, refused("%q is no UUID", value)
	}
	return out, nil
}

func uuidText(value []byte) ([]byte, error) {
	given, err := ofWidth(value, 16)
	if err != nil {
		return nil, err
	}
	return []byte(fmt.Sprintf("%x-%x-%x-%x-%x", given[:4], given[4:6], given[6:8], given[8:10], given[10:])), nil
}

func noPiece(value []byte) error {
	return &failure{errAbsent, fmt.Sprintf("%q has no such piece: give the whole value, as the source has it", value)}
}

func splitAt(s *step, value []byte) ([]byte, error) {
	pieces := bytes.Split(value, s.text(0))
	at := s.number(1, 0)
	if at >= int64(len(pieces)) {
		return nil, noPiece(value)
	}
	return pieces[at], nil
}

func besideSeparator(s *step, value []byte) ([]byte, error) {
	at := bytes.Index(value, s.text(0))
	if at < 0 {
		return nil, noPiece(value)
	}
	if s.name == "before" {
		return value[:at], nil
	}
	return value[at+len(s.text(0)):], nil
}

// cased moves the 26 letters from first on.
func cased(value []byte, first byte, by int) []byte {
	out := append([]byte{}, value...)
	for i, one := range out {
		if one >= first && one < first+26 {
			out[i] = byte(int(one) + by)
		}
	}
	return out
}

func padded(value []byte, width int, by byte) []byte {
	if width <= len(value) {
		return value
	}
	return append(bytes.Repeat([]byte{by}, width-len(value)), value...)
}

func unpadded(s *step, value []byte) inverted {
	if s.inverse == inverseExact { // zeros in front of the digits of a number
		zeros := 0
		for zeros+1 < len(value) && value[zeros] == '0' {
			zeros++
		}
		return inverted{how: inverseExact, value: value[zeros:]}
	}
	if int64(len(value)) == s.number(0, 0) && bytes.HasPrefix(value, s.text(1)) {
		return inverted{how: inverseGood, value: value}
	}
	return inverted{how: inverseExact, value: value}
}

func without(s *step, value []byte) ([]byte, error) {
	if bytes.Contains(value, s.text(0)) {
		return nil, refused("%q contains %q", value, s.text(0))
	}
	return value, nil
}

func reversedDomain(value []byte) []byte {
	pieces := bytes.Split(value, []byte("."))
	for i, j := 0, len(pieces)-1; i < j; i, j = i+1, j-1 {
		pieces[i], pieces[j] = pieces[j], pieces[i]
	}
	return bytes.Join(pieces, []byte("."))
}

func flipped(value []byte) []byte {
	out := make([]byte, len(value))
	for i, one := range value {
		out[i] = ^one
	}
	return out
}

func whole(value []byte) (int64, error) {
	number, err := strconv.ParseInt(string(value), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, refused("%q does not fit 64 bits", value)
	}
	if err != nil {
		return 0, refused("%q is not a whole number", value)
	}
	return number, nil
}

func little(value []byte) uint64 {
	return bitsOf(reversed(value))
}

func murmurMix(k uint32) uint32 {
	return bits.RotateLeft32(k*0xCC9E2D51, 15) * 0x1B873593
}

func murmur3(value []byte) []byte {
	h, rest := uint32(0), value
	for ; len(rest) >= 4; rest = rest[4:] {
		h = bits.RotateLeft32(h^murmurMix(uint32(little(rest[:4]))), 13)*5 + 0xE6546B64
	}
	if len(rest) > 0 {
		h ^= murmurMix(uint32(little(rest)))
	}
	h ^= uint32(len(value))
	h = (h ^ h>>16) * 0x85EBCA6B
	h = (h ^ h>>13) * 0xC2B2AE35
	return bigEndian(uint64(h^h>>16), 4)
}

const (
	xxhA uint64 = 0x9E3779B185EBCA87
	xxhB uint64 = 0xC2B2AE3D27D4EB4F
	xxhC uint64 = 0x165667B19E3779F9
	xxhD uint64 = 0x85EBCA77C2B2AE63
	xxhE uint64 = 0x27D4EB2F165667C5
)

func xxhMix(lane, piece uint64) uint64 {
	return bits.RotateLeft64(lane+piece*xxhB, 31) * xxhA
}

func xxh64(value []byte) uint64 {
	h, rest := xxhE, value
	if len(rest) >= 32 {
		zero := uint64(0)
		lanes := [4]uint64{xxhA, xxhB, zero, zero - xxhA}
		lanes[0] += xxhB
		for ; len(rest) >= 32; rest = rest[32:] {
			for i := range lanes {
				lanes[i] = xxhMix(lanes[i], little(rest[8*i:8*i+8]))
			}
		}
		h = bits.RotateLeft64(lanes[0], 1) + bits.RotateLeft64(lanes[1], 7)
		h += bits.RotateLeft64(lanes[2], 12) + bits.RotateLeft64(lanes[3], 18)
		for _, lane := range lanes {
			h = (h^xxhMix(0, lane))*xxhA + xxhD
		}
	}
	h += uint64(len(value))
	for ; len(rest) >= 8; rest = rest[8:] {
		h = bits.RotateLeft64(h^xxhMix(0, little(rest[:8])), 27)*xxhA + xxhD
	}
	if len(rest) >= 4 {
		h = bits.RotateLeft64(h^little(rest[:4])*xxhA, 23)*xxhB + xxhC
		rest = rest[4:]
	}
	for _, one := range rest {
		h = bits.RotateLeft64(h^uint64(one)*xxhE, 11) * xxhA
	}
	h = (h ^ h>>33) * xxhB
	h = (h ^ h>>29) * xxhC
	return h ^ h>>32
}

func salt(s *step, value []byte) []byte {
	salts := s.number(0, 1)
	width := 1
	if salts > 256 {
		width = 2
	}
	return bigEndian(xxh64(value)%uint64(salts), width)
}
