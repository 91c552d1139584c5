package shop

fun String.loud(): String = trimmed() + "!"

fun Int.loud(): String = "int"

fun Reader.loud(): String = "reader"

private fun String.trimmed(): String = trim()

fun both(text: String, reader: Reader, other: Elsewhere) {
  text.loud()
  reader.loud()
  other.make().loud()
}
