/// Markup: every text that is put into it is escaped, so that nothing from a log can become markup.
///
/// ```swift
/// let cell: HTML = "<td>\(text)</td>"
/// ```
struct HTML: ExpressibleByStringInterpolation {
  /// The markup itself.
  private(set) var text: String

  /// Markup from the source.
  init(stringLiteral value: String) {
    text = value
  }

  /// Markup of the source with texts between.
  init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
  }

  /// Collects the pieces of a literal.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity * 2)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a text, from wherever it comes.
    mutating func appendInterpolation(_ words: String) { text += HTML.escaped(words) }

    /// Adds a whole number as attributes have them.
    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// Adds markup as it is.
    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
  }

  static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum.text += right.text
    return sum
  }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  /// All of some markup, a line each.
  static func lines(_ parts: some Sequence<HTML>) -> HTML {
    parts.reduce(into: "") { $0 += $1 + "\n" }
  }

  /// HTML Standard, section 13.3: `&`, `<`, `>` and quotes; what could mislead a reader is written
  /// as it is on a terminal.
  private static func escaped(_ words: String) -> String {
    var result = ""
    for scalar in Printable.text(words).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
