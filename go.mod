module rea.example

go 1.26.0
