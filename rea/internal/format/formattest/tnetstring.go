package formattest

import "strconv"

// Dict is a dictionary of a tnetstring: keys and values in turn.
type Dict []any

// Float is a float of a tnetstring, as it is spelt.
type Float string

// Token is a tnetstring with any payload under any tag.
type Token struct {
	Payload string
	Tag     byte
}

// TNetString writes a value as a tnetstring. It knows nil, bool, int, string,
// []byte, []any and the types above, and panics at any other.
func TNetString(v any) []byte { return appendTNetString(nil, v) }

func appendTNetString(b []byte, v any) []byte {
	var payload []byte
	var tag byte
	switch v := v.(type) {
	case nil:
		tag = '~'
	case bool:
		payload, tag = strconv.AppendBool(nil, v), '!'
	case int:
		payload, tag = strconv.AppendInt(nil, int64(v), 10), '#'
	case string:
		payload, tag = []byte(v), ';'
	case []byte:
		payload, tag = v, ','
	case Float:
		payload, tag = []byte(v), '^'
	case Token:
		payload, tag = []byte(v.Payload), v.Tag
	case []any:
		payload, tag = appendAll(v), ']'
	case Dict:
		payload, tag = appendAll(v), '}'
	default:
		panic("no tnetstring for this type")
	}
	b = append(strconv.AppendInt(b, int64(len(payload)), 10), ':')
	return append(append(b, payload...), tag)
}

func appendAll(items []any) (b []byte) {
	for _, v := range items {
		b = appendTNetString(b, v)
	}
	return b
}
