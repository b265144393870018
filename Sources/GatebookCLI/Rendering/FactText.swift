internal import Gatebook
internal import GatebookSystem

/// Facts of events for people: in short for a line of the log, in full for one event.
enum FactText {
  /// The most columns that facts take in a line of the log.
  private static let width = 120
  /// Facts that say nothing to people in a list.
  private static let dull: Set<String> = ["boot", "bootID", "sent"]

  /// Facts on one line: lists and objects by their number.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - times: Writes times.
  ///   - start: The beginning of the login that the event ended without success, which says where
  ///     it was and whose; `nil` for other events.
  ///   - isWhole: Whether to print everything, as in a pipe; otherwise long identifiers are
  ///     shortened to their first characters, and long lines are cut.
  /// - Returns: The facts.
  static func short(
    _ event: RecordedEvent, _ times: TimeText, of start: RecordedEvent? = nil,
    isWhole: Bool = false
  ) -> String {
    let data = event.shownFacts
    let names = data.names.filter { !dull.contains($0) }
    var parts = names.map { "\($0)=\(short($0, data[$0] ?? .null, .own(times), isWhole))" }
    if let personal = event.personal {
      parts +=
        personal.value.map { facts in
          facts.names.map { "\($0)=\(short($0, facts[$0] ?? .null, .servers(times), isWhole))" }
        } ?? [personal.hidden]
    }
    parts += origin(of: start)
    let line = Printable.text(parts.joined(separator: " "))
    guard !isWhole, DisplayWidth.of(line) > width else { return line }
    // What is cut is never why something failed.
    let (reasons, others) = (parts.filter(isReason), parts.filter { !isReason($0) })
    return DisplayWidth.cut(
      Printable.text((reasons + others).joined(separator: " ")), to: width)
  }

  /// The server of a login, and the user where the book knows the account.
  private static func origin(of start: RecordedEvent?) -> [String] {
    guard let start else { return [] }
    var parts = start.facts(of: LoginStarted.self)?.server.known.map { ["server=\($0)"] } ?? []
    if let user = start.personal?.value?["user"]?.text {
      parts.append("user=\(short(.text(user), true))")
    }
    return parts
  }

  private static func isReason(_ part: String) -> Bool {
    part.hasPrefix("code=") || part.hasPrefix("reason=")
  }

  /// Facts one a line, what is inside of them indented.
  static func long(_ facts: Facts, _ units: FactUnits) -> [String] {
    let width = facts.names.map { DisplayWidth.of(Printable.text($0)) }.max() ?? 0
    return facts.names.flatMap { name -> [String] in
      let value = facts[name] ?? .null
      let shown = Printable.text(name)
      if case .object(let inner) = value { return [shown] + long(inner, units).map { "  " + $0 } }
      if case .list(let values) = value, values.contains(where: { $0.object != nil }) {
        return [shown]
          + values.map { "  - " + Printable.text($0.object.map { line($0, units) } ?? text($0)) }
      }
      let content = Printable.text(units.text(name, value) ?? text(value))
      guard !content.isEmpty else { return [shown] }
      let gap = String(repeating: " ", count: width - DisplayWidth.of(shown) + 2)
      return [shown + gap + content]
    }
  }

  /// Facts with their values, those inside of objects by `outer.inner`; lists on one line.
  static func flat(
    _ facts: Facts, _ units: FactUnits, in path: String = ""
  ) -> [(name: String, value: String)] {
    facts.names.flatMap { name -> [(name: String, value: String)] in
      let value = facts[name] ?? .null
      if case .object(let inner) = value { return flat(inner, units, in: "\(path)\(name).") }
      let shown: String =
        if case .list(let values) = value {
          values.map { $0.object.map { line($0, units) } ?? text($0) }.joined(separator: ", ")
        } else {
          units.text(name, value) ?? text(value)
        }
      return [(name: Printable.text(path + name), value: Printable.text(shown))]
    }
  }

  private static func line(_ facts: Facts, _ units: FactUnits? = nil) -> String {
    facts.names.map { name in
      let value = facts[name] ?? .null
      return "\(name)=\(units?.text(name, value) ?? text(value))"
    }.joined(separator: " ")
  }

  private static func text(_ value: FactValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .bool(let bool): bool ? "yes" : "no"
    case .null: "-"
    case .list(let values): values.map(text).joined(separator: " ")
    case .object(let facts): line(facts)
    }
  }

  private static func short(
    _ name: String, _ value: FactValue, _ units: FactUnits, _ isWhole: Bool
  ) -> String {
    guard let text = units.text(name, value) else { return short(value, isWhole) }
    // Facts are parted by blanks.
    return text.contains(":") ? "“\(text)”" : text.replacing(" ", with: "")
  }

  private static func short(_ value: FactValue, _ isWhole: Bool) -> String {
    switch value {
    case .text(let text):
      if !isWhole, text.utf8.count >= 32, Hex.decode(text) != nil { return text.prefix(8) + "…" }
      return text.contains(" ") ? "“\(text)”" : text
    case .list(let values): return values.count > 2 ? "(\(values.count))" : "[\(text(value))]"
    case .object(let facts): return "(\(facts.names.count))"
    case .integer, .bool, .null: return text(value)
    }
  }
}

extension Personal {
  /// Why it cannot be seen, in a word; empty for a value that can.
  private var word: String {
    switch self {
    case .known: ""
    case .sealed: "sealed"
    case .forgotten: "forgotten"
    case .lost: "lost"
    }
  }

  /// What people read in the place of a value that cannot be seen.
  var hidden: String { "(\(word))" }

  /// The value for programs: as it is, or the word for why it cannot be seen.
  func json(_ transform: (Value) -> JSON) -> JSON { value.map(transform) ?? .text(word) }
}

extension Personal<String> {
  /// The value for people; hidden values are described in brackets.
  var text: String { value ?? hidden }
}
