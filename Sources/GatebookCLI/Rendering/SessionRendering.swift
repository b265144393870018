internal import Gatebook

/// A session as `sessions` prints it.
extension SessionSummary {
  /// The documented object.
  var json: JSON {
    .present([
      "id": .text(id.description),
      "account": .text(account.description),
      "method": .text(method),
      "started": .time(started),
      "ended": ended.map(JSON.time),
      "state": .text(state),
      "reason": reason.map { .text($0.rawValue) },
      "generation": .integer(generation),
      "position": .integer(position.rawValue),
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
        TextTable.Cell(session.stateText + reason, session.ended == nil ? .good : .faint),
        TextTable.Cell(String(session.generation)), TextTable.Cell(session.position.description),
      ])
    }
    return table
  }

  /// The state as `accounts` writes it; for programs it has its own name.
  private var stateText: String { state == "needsLogin" ? "needs login" : state }
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
