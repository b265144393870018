internal import Gatebook

/// `gatebook sessions`.
struct SessionsCommand: Command {
  static let help = Help(
    "sessions", "List the sessions, now or as of a time.", in: .audit,
    details: [
      "On a terminal, a timeline of the newest sessions follows.", ToldEvents.unchecked,
    ],
    positionals: [.account], options: [AsOf.option],
    examples: ["gatebook sessions --as-of 'yesterday 14:00'", "gatebook sessions work"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let account = try call.namedAccount(reader)
    let asOf = try AsOf.read(call, reader)
    // The past is folded from the log; an account's own events are few.
    if let asOf, account == nil { call.progress.show("reading", events: asOf.position.rawValue) }
    let sessions = try reader.sessions(
      of: account?.account, asOf: asOf?.position, at: asOf == nil ? call.now : asOf?.clocks)
    call.progress.finish()
    guard !call.output.tells(programs: sessions.map(\.json)) else { return .done }
    if let asOf { call.output.line(asOf.text(call.output.times)) }
    guard !sessions.isEmpty else {
      call.output.message("There is no session.")
      return .done
    }
    let names = AccountNames(try reader.accounts())
    call.output.table(SessionSummary.table(sessions, names: names, call.output.times))
    guard call.output.isTerminal, let columns = call.output.columns,
      let lanes = SessionLanes(sessions, upTo: asOf?.moment ?? call.now.wall, columns: columns)
    else { return .done }
    call.output.line("")
    call.output.lines(lanes.lines(call.output))
    return .done
  }
}
