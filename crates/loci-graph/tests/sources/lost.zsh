first() {
  local -a lines
  lines=( ${${(f)"$(list files)"}//:[[:space:]]##/:} )
}

_second() {
  compute "$1"
}
function third {
  _second now
}
cat <<'END'
function script() {
END
