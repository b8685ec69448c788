module rea.example

go 1.26.0

require (
	github.com/goccy/go-json v0.12.0
	github.com/magefile/mage v1.17.2
)

tool github.com/magefile/mage
