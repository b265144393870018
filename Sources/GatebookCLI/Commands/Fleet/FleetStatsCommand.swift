internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet stats`.
struct FleetStatsCommand: Command {
  private static let grouping = CommandOption.choice(
    "--by", ["book", "day", "kind", "account", "program"],
    "one line for each book, day, account, kind or program instead of the total")
  private static let since = CommandOption.value("--since", "T", "only from this day on, in UTC")
  private static let until = CommandOption.value("--until", "T", "only up to this day, in UTC")

  static let help = Help(
    "fleet stats", "Print totals of a fleet: events, logins, renewals and failures.", in: .fleet,
    details: [
      "It reads counters of books and days. For an account, and with --by account, it reads the events of "
        + "its book: --by account needs `--book`. Days are whole days of UTC.",
      "Events that the fleet forgot are counted too, except for an account's on certain days.",
      "--by program counts the requests that programs sent through `gatebook proxy`.",
    ] + FleetQuestion.details,
    positionals: [.account], options: [grouping, since, until] + FleetQuestion.options,
    exitNotes: FleetQuestion.exitNotes,
    examples: ["gatebook fleet stats", "gatebook fleet stats --by book --since '7 days ago'"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let days = try StatsCommand.days(call, Self.since, Self.until)
    let now = call.now.wall
    let grouping = call.arguments[Self.grouping]
    try await FleetQuestion.ask {
      let books = scope.book == nil ? [] : try await reader.books(scope)
      let rendering = StatisticsRendering(
        output: call.output, book: books.count == 1 ? books[0] : nil)
      let isOfAccount = scope.account != nil || grouping == "account"
      if isOfAccount, days != nil || grouping == "day" {
        FleetQuestion.tellForgotten(books, call.output)
      }
      switch grouping {
      case "book":
        // Each line names its own book.
        StatisticsRendering(output: call.output).show(
          try await reader.tallyByBook(scope, on: days))
      case "day": rendering.show(try await reader.tallyByDay(scope, on: days))
      case "kind": rendering.show(try await reader.tally(scope, on: days))
      case "account":
        let tallies = try await reader.tallyByAccount(scope, on: days)
        rendering.show(tallies, [])
      case "program": rendering.show(try await reader.programs(scope, on: days))
      default: rendering.show(try await reader.statistics(scope, on: days, at: now))
      }
    }
    return missing.finish()
  }
}
