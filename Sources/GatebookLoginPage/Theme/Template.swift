internal import Gatebook
internal import GatebookSystem

/// A page with gaps, in a subset of the template language Mustache.
///
/// `{{name}}` is a value, always escaped. `{{#name}}...{{/name}}` is there if the value is true or
/// a text, and once for each member of a list. `{{^name}}...{{/name}}` is there otherwise.
/// `{{! ... }}` is a comment.
struct Template: Sendable {
  /// A piece of the page.
  indirect enum Piece: Sendable {
    case text(String)
    case gap(String)
    case section(String, isInverted: Bool, [Piece])
  }

  /// Why a text is no template.
  struct Fault: Error, Equatable {
    /// A sentence.
    let text: String
    /// The line, from 1.
    let line: Int
  }

  private let pieces: [Piece]
  /// The names of the gaps.
  let gaps: Set<String>
  /// The names of the sections.
  let sections: Set<String>
  /// The line, from 1, in which each name comes first.
  let lines: [String: Int]

  /// Reads a template.
  ///
  /// - Parameter text: The template.
  /// - Throws: What is wrong, and where.
  init(_ text: String) throws(Fault) {
    var reader = TemplateReader(text)
    pieces = try reader.pieces(until: nil)
    gaps = reader.gaps
    sections = reader.sections
    lines = reader.lines
  }

  /// The page with its gaps filled.
  ///
  /// - Parameter values: The values by name; what is missing is empty.
  /// - Returns: HTML.
  func filled(with values: TemplateValues) -> String {
    var result = ""
    Self.write(pieces, [values], to: &result)
    return result
  }

  private static func write(
    _ pieces: [Piece], _ scopes: [TemplateValues], to result: inout String
  ) {
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .gap(let name):
        if case .text(let text) = value(name, scopes) { result += HTMLTag.escaped(text) }
      case .section(let name, let isInverted, let inner):
        let value = value(name, scopes)
        guard !isInverted else {
          if value.isEmpty { write(inner, scopes, to: &result) }
          continue
        }
        switch value {
        case .list(let members):
          for member in members { write(inner, [member] + scopes, to: &result) }
        case .text, .flag: if !value.isEmpty { write(inner, scopes, to: &result) }
        }
      }
    }
  }

  /// The value of a name: the innermost scope that has it counts.
  private static func value(_ name: String, _ scopes: [TemplateValues]) -> TemplateValue {
    scopes.lazy.compactMap { $0[name] }.first ?? .flag(false)
  }
}

/// The values of a template by their names.
typealias TemplateValues = [String: TemplateValue]

/// A value of a template.
enum TemplateValue: Sendable, Equatable {
  case text(String)
  case flag(Bool)
  case list([TemplateValues])

  /// Whether a section is left out for it.
  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .flag(let isSet): !isSet
    case .list(let members): members.isEmpty
    }
  }
}

/// Takes a template apart.
private struct TemplateReader {
  private var rest: Substring
  private var line = 1
  private(set) var gaps: Set<String> = []
  private(set) var sections: Set<String> = []
  private(set) var lines: [String: Int] = [:]

  /// How deep sections may be in each other.
  private static let deepest = 32

  init(_ text: String) { rest = text[...] }

  /// The pieces up to the end of a section; up to the end of the text for `nil`.
  mutating func pieces(
    until section: String?, depth: Int = 0
  ) throws(Template.Fault) -> [Template.Piece] {
    guard depth <= Self.deepest else {
      throw fault("Sections are in each other \(Self.deepest) deep at most.")
    }
    let start = line
    var pieces: [Template.Piece] = []
    while let open = rest.firstRange(of: "{{") {
      pieces.append(.text(take(to: open.lowerBound)))
      guard let close = rest.firstRange(of: "}}") else {
        throw Template.Fault(text: "“{{” has no “}}”.", line: line)
      }
      let tag = take(to: close.upperBound).dropFirst(2).dropLast(2)
      guard let mark = tag.first else { throw fault("“{{}}” names nothing.") }
      switch mark {
      case "!": continue
      case "#", "^":
        let name = try name(tag.dropFirst())
        sections.insert(name)
        pieces.append(
          .section(name, isInverted: mark == "^", try self.pieces(until: name, depth: depth + 1)))
      case "/":
        let name = try name(tag.dropFirst())
        guard name == section else { throw fault("“{{/\(name)}}” ends no section.") }
        return pieces
      default:
        let name = try name(tag)
        gaps.insert(name)
        pieces.append(.gap(name))
      }
    }
    guard section == nil else {
      throw Template.Fault(text: "“{{#\(section ?? "")}}” has no end.", line: start)
    }
    pieces.append(.text(take(to: rest.endIndex)))
    return pieces
  }

  private mutating func name(_ text: Substring) throws(Template.Fault) -> String {
    let name = String(text.filter { $0 != " " })
    // `{{{name}}}` and `{{&name}}` would be unescaped.
    guard !name.isEmpty, name.utf8.allSatisfy({ $0.isLetterOrDigit }) else {
      throw fault("“{{\(text)}}” is not a name.")
    }
    lines.merge([name: line]) { first, _ in first }
    return name
  }

  private mutating func take(to end: Substring.Index) -> String {
    let text = String(rest[..<end])
    line += text.utf8.count(where: { $0 == UInt8(ascii: "\n") })
    rest = rest[end...]
    return text
  }

  private func fault(_ text: String) -> Template.Fault { Template.Fault(text: text, line: line) }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
