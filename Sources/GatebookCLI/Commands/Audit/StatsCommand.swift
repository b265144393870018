internal import Gatebook

/// `gatebook stats`.
struct StatsCommand: Command {
  private static let grouping = CommandOption.choice(
    "--by", StatisticsGrouping.allCases.map(\.rawValue),
    "one line for each day, account, kind or program instead of the total")
  private static let since = CommandOption.value("--since", "T", "only from this day on, in UTC")
  private static let until = CommandOption.value("--until", "T", "only up to this day, in UTC")

  static let help = Help(
    "stats", "Print totals: events, logins, renewals and failures.", in: .audit,
    details: [
      "It reads counters instead of the log, so a large book takes no longer than a small one. The "
        + "counters are per day or per account. With both, as with --by account and --since, it reads the "
        + "events. Days are whole days of UTC.",
      "--by program counts the requests that programs sent through `gatebook proxy`.",
      "On a terminal each line has a bar that compares its number of events with the others.",
      ToldEvents.unchecked,
    ],
    positionals: [.account], options: [grouping, since, until],
    examples: ["gatebook stats --by day --since '7 days ago'", "gatebook stats --by account"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let account = try call.namedAccount(reader)?.account
    let days = try Self.days(call, Self.since, Self.until)
    let rendering = StatisticsRendering(output: call.output)
    let isArchived = try reader.continuation()?.archived ?? .start > .start
    try PastRendering.tell(reader, call.output)
    let grouping: StatisticsGrouping? = call.arguments.choice(Self.grouping)
    if isArchived, !call.output.isJSON {
      let areRead =
        account != nil
        ? grouping == .day || grouping == .program || days != nil
        : grouping == .program || grouping == .account && days != nil
      call.output.message(
        areRead
          ? "These figures do not include them."
          : "These figures include them, because the counters are kept.")
    }
    switch grouping {
    case nil:
      rendering.show(
        try reader.statistics(of: account, on: days, at: call.now), isArchived: isArchived)
    case .day: rendering.show(try reader.tallyByDay(of: account, on: days))
    case .kind: rendering.show(try reader.tally(of: account, on: days))
    case .program: rendering.show(try reader.programs(of: account, on: days))
    case .account:
      let tallies = try reader.tallyByAccount(on: days).filter {
        account == nil || $0.key == account
      }
      rendering.show(tallies, try reader.accounts())
    }
    return .done
  }

  /// The days that are asked for; `nil` for all.
  @MainActor static func days(
    _ call: Call, _ since: CommandOption, _ until: CommandOption
  ) throws -> ClosedRange<Day>? {
    guard call.arguments[since] != nil || call.arguments[until] != nil else { return nil }
    // Days are counted in UTC: so are those that a person names.
    let times = TimeReader(now: call.now.wall, zone: .utc)
    let first = try call.arguments[since].map { Day(of: try times.moment($0)) }
    let last = try call.arguments[until].map {
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

/// What `stats --by` has a line for.
enum StatisticsGrouping: String, CaseIterable {
  case day, kind, account, program
}
