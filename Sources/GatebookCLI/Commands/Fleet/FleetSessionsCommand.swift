internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet sessions`.
struct FleetSessionsCommand: Command {
  static let help = Help(
    "fleet sessions", "List the sessions of the books of a fleet, now or as of a time.", in: .fleet,
    details: [
      "With --as-of the sessions of one book are computed from its events; without it they are those that "
        + "each book computed when it was last shipped.",
      PersonArguments.details,
    ] + FleetQuestion.details,
    positionals: [.account],
    options: [AsOf.option] + PersonArguments.options + FleetQuestion.options,
    exitNotes: PersonArguments.exitNotes + FleetQuestion.exitNotes,
    examples: [
      "gatebook fleet sessions --book laptop17",
      "gatebook fleet sessions --book laptop17 --as-of 'yesterday 14:00'",
      "gatebook fleet sessions --person ada@example.com --pseudonym-key pseudonyms.key",
    ], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let asOf = try Self.asOf(call)
    guard try await PersonArguments.finds(reader, scope, call.output) else { return .done }
    if let asOf {
      let past = try await FleetQuestion.ask { try await reader.sessions(scope, asOf: asOf) }
      Self.show(past, call.output)
      return missing.finish()
    }
    let listing = FleetListing<SessionSummary>(call.output)
    let now = call.now.wall
    try await FleetQuestion.ask {
      try await reader.sessions(scope, at: now) { (page) async throws(GatebookError) in
        try await listing.take(page) { page, output in
          (page.entries, \.json, Self.table(page.entries.map(\.value), output))
        }
      }
    }
    return try listing.finish("There is no session.", missing)
  }

  private static func table(_ sessions: [SessionSummary], _ output: Output) -> TextTable {
    SessionSummary.table(sessions, names: AccountNames(), output.times)
  }

  @MainActor private static func asOf(_ call: Call) throws -> FleetAsOf? {
    guard let text = call.arguments[AsOf.option] else { return nil }
    switch try call.timeReader.timeOrPosition(text) {
    case .moment(let moment):
      guard moment < call.now.wall + .seconds(1) else { throw AsOf.toCome(AsOf.option) }
      return .moment(moment)
    case .position: return .position(try EventPosition.read(text))
    }
  }

  @MainActor private static func show(_ past: FleetPastSessions, _ output: Output) {
    let objects = past.sessions.map { $0.json.of(past.book) }
    guard !output.tells(programs: objects) else { return }
    output.line(
      AsOf(position: past.position, moment: past.moment, clocks: nil).text(output.times))
    guard !past.sessions.isEmpty else { return output.message("There is no session.") }
    output.table(
      table(past.sessions, output).led(
        by: "machine", FleetRendering.column(past.sessions.map { _ in past.book })))
  }
}
