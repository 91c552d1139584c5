package shop

open class Reader {
  fun skip() {}

  class Options
  private constructor(
    internal val names: List<String>,
  ) {
    fun count() = names.size

    companion object {
      fun of(vararg names: String): Options = Options(names.toList())
    }
  }

  fun select(options: Options): Int = options.count()
}

class Cursor
@JvmOverloads
internal constructor(private val reader: Reader) {
  fun move() = reader.skip()
}

fun read(reader: Reader) {
  reader.skip()
  reader.select(Reader.Options.of("a"))
  Cursor(reader).move()
}
