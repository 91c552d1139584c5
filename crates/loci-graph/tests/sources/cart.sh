#!/bin/bash
. ./lib.sh
MAX=3
# Doc.
total() { local x=1; helper "$x"; }
function run { total 1 | other; }
trap cleanup EXIT
run
