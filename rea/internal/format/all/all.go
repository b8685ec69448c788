package all

import (
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/har"
	"rea.example/rea/internal/format/mitmproxy"
	"rea.example/rea/internal/format/qlog"
	"rea.example/rea/internal/format/saz"
)

// Formats are the formats, in the order in which help lists them.
var Formats = []format.Format{har.Format{}, mitmproxy.Format{}, saz.Format{}, qlog.Format{}}

// Named finds a format by the value of the format argument, or nil.
func Named(name string) format.Format {
	for _, f := range Formats {
		if f.Profile().Name == name {
			return f
		}
	}
	return nil
}
