internal import Gatebook

/// Reads the kinds of events of a command line.
enum KindArgument {
  /// Reads a kind, or a family of kinds.
  ///
  /// - Parameters:
  ///   - text: `login`, `login.` and `login.*` mean the family, `login.failed` the one kind.
  ///   - reader: A book may hold kinds of a newer version.
  /// - Returns: As `EventFilter.kind` takes it.
  /// - Throws: `UsageError` for a kind that neither this version nor the book knows.
  static func read(_ text: String, _ reader: BookReader) throws -> String {
    let kind = filter(text)
    guard try isKnown(kind) || !reader.events(EventFilter(kind: kind, limit: 1)).isEmpty else {
      throw unknown(text)
    }
    return kind
  }

  /// What a text means, known or not.
  static func filter(_ text: String) -> String {
    if text.hasSuffix(".*") { return String(text.dropLast()) }
    return text.contains(".") ? text : text + "."
  }

  /// Every family and every kind of this version.
  static let words = families + kinds

  private static let kinds = EventKind.allCases.map(\.rawValue)

  /// The families in the order of the kinds.
  private static let families = kinds.map(family).reduce(into: [String]()) { found, family in
    if found.last != family, !found.contains(family) { found.append(family) }
  }

  private static func family(_ kind: String) -> String { String(kind.prefix { $0 != "." }) }

  /// Whether this version knows a kind or a family.
  static func isKnown(_ kind: String) -> Bool {
    kind.hasSuffix(".") ? families.contains(String(kind.dropLast())) : kinds.contains(kind)
  }

  /// That a kind is known neither to this version nor to what was asked.
  static func unknown(_ text: String) -> UsageError {
    let family = family(text)
    let siblings =
      families.contains(family) ? kinds.filter { $0.hasPrefix(family + ".") } : families
    let meant = NearMiss.nearest(to: text, among: text.contains(".") ? kinds : families)
    let list = siblings.map { "`\($0)`" }.joined(separator: ", ")
    return UsageError(
      "`\(Printable.text(text))` is not a kind of event.",
      remedy: (meant.map { "Did you mean `\($0)`? " } ?? "") + "There are \(list).")
  }
}
