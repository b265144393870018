internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet log`.
struct FleetLogCommand: Command {
  private static let kind = CommandOption.values(
    "--kind", "K",
    "only this kind, such as `login.failed`, or a family, such as `login`; may be repeated")
  private static let since = CommandOption.value("--since", "T", "only from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only before this time; a day alone is included")
  private static let failed = CommandOption.flag("--failed", "only what failed")
  private static let limit = CommandOption.value("--limit", "N", "how many at most")
  private static let after = CommandOption.value(
    "--after", "P", "only after this position of one book")

  static let help = Help(
    "fleet log", "Print the events of the books of a fleet, newest last.", in: .fleet,
    details: [
      "The events of one book come in its order, those of several in the order of their times. With "
        + "--after the first N events after P are printed, otherwise the last N: 50, or all with --json.",
      "Write times as people do: 2025-11-20, 2025-11-20T14:00:05Z, `yesterday 14:00`, `2h ago`.",
      PersonArguments.details,
    ] + FleetQuestion.details,
    positionals: [.account],
    options: [kind, since, until, failed, limit, after] + PersonArguments.options
      + FleetQuestion.options,
    exitNotes: PersonArguments.exitNotes + FleetQuestion.exitNotes,
    examples: [
      "gatebook fleet log --failed --since yesterday",
      "gatebook fleet log --book laptop17 --kind login --kind logout",
      "gatebook fleet log --person ada@example.com --pseudonym-key pseudonyms.key",
    ], isAudit: true, isPaged: true)

  /// How many are printed for people who do not say it.
  private static let usualLimit = 50

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let filter = try filter(call)
    guard try await PersonArguments.finds(reader, scope, call.output) else { return .done }
    let listing = FleetListing<FleetEvent>(call.output)
    do {
      try await FleetQuestion.ask {
        try await reader.log(scope, filter) { (page) async throws(GatebookError) in
          try await listing.take(page) { page, output in
            (page.entries, { EventRendering.json($0.event) }, Self.table(page, output))
          }
        }
      }
    } catch let error as GatebookError where error.setting == "kind" {
      throw Self.unknownKind(call.arguments.all(Self.kind)) ?? error
    }
    if listing.count == Self.usualLimit, call.arguments[Self.limit] == nil, filter.after == nil {
      if !call.output.isJSON {
        call.output.message("These are the last \(Self.usualLimit); `--limit N` prints more.")
      }
    }
    // Of all books together the newest are asked for.
    if scope.book != nil, !call.output.isJSON {
      FleetQuestion.tellForgotten(
        try await FleetQuestion.ask { try await reader.books(scope) }, call.output)
    }
    return try listing.finish("No events match.", hasStates: false, missing)
  }

  @MainActor private func filter(_ call: Call) throws -> FleetLogFilter {
    let arguments = call.arguments
    let span = try TimeSpan.read(Self.since, Self.until, call)
    var filter = FleetLogFilter(
      kinds: arguments.all(Self.kind).map(KindArgument.filter),
      failedOnly: arguments.has(Self.failed), since: span.start, until: span.end,
      after: try arguments.integer(Self.after, in: 0...(.max)).map(Position.init(rawValue:)),
      limit: try arguments.integer(Self.limit, in: 1...1_000_000_000).map(Int.init))
    if filter.limit == nil, filter.after == nil, !call.output.isJSON {
      filter.limit = Self.usualLimit
    }
    return filter
  }

  private static func unknownKind(_ kinds: [String]) -> UsageError? {
    kinds.first { !KindArgument.isKnown(KindArgument.filter($0)) }.map(KindArgument.unknown)
  }

  @MainActor private static func table(
    _ page: FleetPage<FleetEvent>, _ output: Output
  ) -> TextTable {
    var table = EventRendering.table
    for entry in page.entries {
      table.add(
        EventRendering.row(
          entry.value.event, names: AccountNames(), output.times, of: entry.value.start,
          isWhole: !output.isTerminal))
    }
    return table
  }
}
