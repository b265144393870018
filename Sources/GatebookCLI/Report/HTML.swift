internal import Gatebook

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

  /// A table that is folded away until it is wanted.
  ///
  /// - Parameters:
  ///   - title: What is shown instead.
  ///   - caption: What the table holds.
  ///   - headings: A heading for each column.
  ///   - numbers: The columns of numbers.
  ///   - rows: A text for each column; the first one names the row.
  /// - Returns: The table.
  static func table(
    _ title: String, _ caption: String, _ headings: [String], numbers: Range<Int>,
    _ rows: [[String]]
  ) -> HTML {
    let classes: [HTML] = headings.indices.map { numbers.contains($0) ? " class=\"number\"" : "" }
    let head = zip(classes, headings).map { "<th scope=\"col\"\($0)>\($1)</th>" as HTML }
    let lines = rows.map { row -> HTML in
      let cells = zip(classes, row).dropFirst().map { "<td\($0)>\($1)</td>" as HTML }
      return "<tr><th scope=\"row\">\(row[0])</th>\(cells.reduce("", +))</tr>"
    }
    return """
      <details><summary>\(title)</summary><div class="scroll" tabindex="0" role="region" \
      aria-label="\(title)"><table><caption>\(caption)</caption>\
      <thead><tr>\(head.reduce("", +))</tr></thead><tbody>
      \(HTML.lines(lines))</tbody></table></div></details>

      """
  }

  /// What could mislead a reader is written as it is on a terminal.
  private static func escaped(_ words: String) -> String {
    HTMLTag.escaped(Printable.text(words))
  }
}
