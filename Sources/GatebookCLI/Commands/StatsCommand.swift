internal import Gatebook

/// `gatebook stats`.
struct StatsCommand: Command {
  private static let grouping = CommandOption.choice(
    "--by", StatisticsGrouping.allCases.map(\.rawValue), "one line for each instead of the whole")
  private static let since = CommandOption.value("--since", "T", "only from this day on, in UTC")
  private static let until = CommandOption.value("--until", "T", "only up to this day, in UTC")

  static let help = Help(
    "stats", "Print how much has happened: events, logins, renewals and what failed.", in: .audit,
    details: [
      "It reads counters, not the log: a large book takes no longer than a small one. They are kept for "
        + "days and for accounts, but not for both: with an account and days, as with --by account and "
        + "--since, the events are read. Days are those of UTC, and count as a whole.",
      "On a terminal each line has a bar: how its events compare with those of the others.",
      ToldEvents.unchecked,
    ],
    positionals: [.account], options: [grouping, since, until],
    exits: [.done, .usage, .damaged, .cannotOpen, .cancelled],
    examples: ["gatebook stats --by day --since '7 days ago'", "gatebook stats --by account"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let account = try call.namedAccount(reader)?.account
    let days = try days(call)
    let rendering = StatisticsRendering(call.output)
    let isArchived = try reader.continuation()?.archived ?? .start > .start
    try PastRendering.tell(reader, call.output)
    if isArchived, !call.output.isJSON {
      let isByDay = call.arguments[Self.grouping] == StatisticsGrouping.day.rawValue
      let isByAccount = call.arguments[Self.grouping] == StatisticsGrouping.account.rawValue
      let areRead = (account != nil && (isByDay || days != nil)) || (isByAccount && days != nil)
      call.output.message(
        areRead
          ? "They are not in these figures."
          : "They are in these figures, for counters outlast them.")
    }
    guard let name = call.arguments[Self.grouping],
      let grouping = StatisticsGrouping(rawValue: name)
    else {
      rendering.show(
        try reader.statistics(of: account, on: days, at: call.now), isArchived: isArchived)
      return .done
    }
    switch grouping {
    case .day: rendering.show(try reader.tallyByDay(of: account, on: days))
    case .kind: rendering.show(try reader.tally(of: account, on: days))
    case .account:
      let tallies = try reader.tallyByAccount(on: days).filter {
        account == nil || $0.key == account
      }
      rendering.show(tallies, try reader.accounts())
    }
    return .done
  }

  /// The days that are asked for; `nil` for all.
  @MainActor private func days(_ call: Call) throws -> ClosedRange<Day>? {
    guard call.arguments[Self.since] != nil || call.arguments[Self.until] != nil else { return nil }
    // Days are counted in UTC: so are those that a person names.
    let times = TimeReader(now: call.now.wall, zone: .utc)
    let first = try call.arguments[Self.since].map { Day(of: try times.moment($0)) }
    let last = try call.arguments[Self.until].map {
      Day(of: try times.moment($0, edge: .end) - .microseconds(1))
    }
    let from = first ?? Day(of: Timestamp(rawValue: .min))
    let to = last ?? Day(of: Timestamp(rawValue: .max))
    guard from <= to else {
      throw UsageError("`--since` is later than `--until`.", remedy: "Exchange them.")
    }
    return from...to
  }
}
