internal import Gatebook

/// A session as `sessions` prints it.
enum SessionRendering {
  /// The documented object.
  static func json(_ session: SessionSummary) -> JSON {
    .present([
      "id": .text(session.id.description),
      "account": .text(session.account.description),
      "method": .text(session.method),
      "started": .time(session.started),
      "ended": session.ended.map(JSON.time),
      "state": .text(session.state),
      "reason": session.reason.map { .text($0.rawValue) },
      "generation": .integer(session.generation),
      "position": .integer(session.position.rawValue),
    ])
  }

  /// A table of sessions.
  ///
  /// - Parameters:
  ///   - sessions: The rows.
  ///   - names: What accounts are called.
  ///   - times: Writes times.
  /// - Returns: The table.
  static func table(
    _ sessions: [SessionSummary], names: AccountNames, _ times: TimeText
  ) -> TextTable {
    var table = TextTable(
      [
        .whole("id"), "account", TableColumn("method", .cut(atLeast: 14)), .whole("started"),
        .whole("ended"), TableColumn("state", .wrapped(atLeast: 16)), .number("generation"),
        .number("position"),
      ], givesUp: ["generation", "position", "method", "state", "id"])
    for session in sessions {
      let reason = session.reason.map { " (\($0.text))" } ?? ""
      table.add([
        TextTable.Cell(String(session.id.description.prefix(8))),
        TextTable.Cell(names[session.account]), TextTable.Cell(session.method),
        TextTable.Cell(times.text(session.started)),
        TextTable.Cell(session.ended.map(times.text) ?? ""),
        TextTable.Cell(state(session) + reason, session.ended == nil ? .good : .faint),
        TextTable.Cell(String(session.generation)), TextTable.Cell(session.position.description),
      ])
    }
    return table
  }

  /// The state as `accounts` writes it; for programs it has its own name.
  private static func state(_ session: SessionSummary) -> String {
    session.state == "needsLogin" ? "needs login" : session.state
  }
}

extension SessionState {
  /// What the state's colour says.
  var paint: Paint {
    switch self {
    case .active: .good
    case .offline, .challenged, .uncertain: .warning
    case .needsLogin: .bad
    case .ended: .faint
    }
  }
}

extension SessionContext {
  /// The state in words, with what the clock adds to it.
  var stateText: String {
    // An account is added a moment before its first login succeeds.
    guard session != nil else { return "no session yet" }
    return state.text + (isPastOfflineLimit ? ", past its limit" : "")
  }
}
