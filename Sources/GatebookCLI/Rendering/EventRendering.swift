internal import Gatebook

/// An event as `log` and `show` print it.
enum EventRendering {
  /// The documented object.
  static func json(_ event: RecordedEvent) -> JSON {
    .present([
      "position": .integer(event.position.rawValue),
      "id": .text(event.id.description),
      "account": event.account.map { .text($0.description) },
      "revision": .integer(event.revision),
      "session": event.session.map { .text($0.description) },
      "kind": .text(event.kind),
      "version": .integer(Int64(event.version)),
      "at": .time(event.at),
      "cause": event.cause.map { .integer($0.rawValue) },
      "writer": writer(event.writer),
      "data": JSON(event.data),
      "personal": event.personal?.json { JSON($0) },
    ])
  }

  private static func writer(_ writer: Writer) -> JSON {
    [
      "program": .text(writer.program.name), "version": .text(writer.program.version),
      "installation": .text(writer.program.installation.description),
      "process": .integer(writer.process),
    ]
  }

  /// A table without rows, for those of `row`.
  static var table: TextTable {
    TextTable(
      [
        .number("position"), .whole("time"), TableColumn("kind", .cut(atLeast: 20)), "account",
        .number("cause"), TableColumn("facts", .wrapped(atLeast: 28)),
      ], givesUp: ["facts", "cause", "account"])
  }

  /// The same for rows that come one by one, which nobody knows yet.
  static func followedTable(_ accounts: [SessionContext]) -> TextTable {
    var table = table
    table.reserve(EventKind.allCases.map(\.rawValue.count).max() ?? 0, for: "kind")
    let names = accounts.map { DisplayWidth.of(Printable.text(AccountRendering.name($0))) }
    table.reserve(max(8, names.max() ?? 0), for: "account")
    return table
  }

  /// One line of a log.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - names: What the accounts are called.
  ///   - times: Writes times.
  ///   - start: The beginning of the login that the event ended without success; `nil` for other
  ///     events.
  ///   - isWhole: Whether nothing is left out, as in a pipe.
  /// - Returns: The line's cells.
  static func row(
    _ event: RecordedEvent, names: AccountNames, _ times: TimeText,
    of start: RecordedEvent?, isWhole: Bool
  ) -> [TextTable.Cell] {
    [
      TextTable.Cell(event.position.description), TextTable.Cell(times.text(event.at)),
      TextTable.Cell(event.kind, paint(event.kind)),
      TextTable.Cell(event.account.map { names[$0] } ?? ""),
      TextTable.Cell(event.cause.map { "\($0)" } ?? ""),
      TextTable.Cell(FactText.short(event, times, of: start, isWhole: isWhole)),
    ]
  }

  /// All of an event, one fact a line.
  static func lines(_ event: RecordedEvent, names: AccountNames, _ times: TimeText) -> [String] {
    let writer = event.writer
    let facts: [(String, String?)] = [
      ("position", event.position.description),
      ("kind", "\(event.kind), version \(event.version)"),
      ("time", times.text(event.at)),
      ("id", event.id.description),
      ("account", event.account.map { "\(names[$0]) (\($0)), revision \(event.revision)" }),
      ("session", event.session?.description),
      ("cause", event.cause.map { "event \($0)" }),
      ("writer", "\(writer.program.name) \(writer.program.version), process \(writer.process)"),
    ]
    let personal = event.personal.map { personal in
      personal.value.map { part("personal", FactText.long($0, .servers(times))) }
        ?? ["personal".padded(to: 10) + personal.hidden]
    }
    return facts.compactMap { name, value in
      value.map { name.padded(to: 10) + Printable.text($0) }
    } + part("facts", FactText.long(event.shownFacts, .own(times))) + (personal ?? [])
  }

  private static func part(_ name: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [name] + lines.map { "  " + $0 }
  }

  private static func paint(_ kind: String) -> Paint? {
    if kind.hasSuffix(".failed") || kind.hasSuffix(".ended") || kind.hasSuffix(".uncertain") {
      return .bad
    }
    if kind.hasSuffix(".succeeded") || kind.hasSuffix(".verified") { return .good }
    return nil
  }
}

extension RecordedEvent {
  /// The facts as people read them.
  ///
  /// The log names no paths: a key that moves from `file` to `file` would seem to stay where it
  /// was.
  var shownFacts: Facts { isKind(.keyChanged) ? KeyChanged.shown(data) : data }
}
