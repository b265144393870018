internal import Gatebook

/// `gatebook log`.
struct LogCommand: Command {
  private static let kind = CommandOption.value(
    "--kind", "K", "only this kind, such as `login.failed`, or a family, such as `login`",
    suggestions: KindArgument.words)
  private static let since = CommandOption.value("--since", "T", "only from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only before this time; a day alone is included")
  private static let failed = CommandOption.flag("--failed", "only what failed")
  private static let limit = CommandOption.value("--limit", "N", "how many at most")
  private static let after = CommandOption.value("--after", "P", "only after this position")
  static let follow = CommandOption.flag("--follow", "also print what happens from now on")

  static let help = Help(
    "log", "Print the events, newest last.", in: .audit,
    details: [
      "With --after the first N events after P are printed, otherwise the last N: 50, or "
        + "all with --json.",
      "Write times as people do: 2025-11-20, 2025-11-20T14:00:05Z, `yesterday 14:00`, `2h "
        + "ago`.",
      ToldEvents.help,
      ToldEvents.gaps,
      "An index of the events finds kinds and times. `gatebook verify` compares it with the "
        + "events.",
    ],
    positionals: [.account], options: [kind, since, until, failed, limit, after, follow],
    examples: ["gatebook log --failed --since yesterday", "gatebook log work --follow"],
    isAudit: true, isPaged: true)

  /// How many are printed for people who do not say it.
  private static let usualLimit = 50

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    var filter = try filter(call, reader)
    if call.arguments.has(Self.follow), let until = filter.until, until <= call.now.wall {
      throw UsageError(
        "`--follow` waits for future events, but `--until` is in the past.",
        remedy: "Leave out one of them.")
    }
    // What is recorded while this is printed belongs to what follows.
    let end = Position(rawValue: try reader.head().size)
    if let after = filter.after {
      guard after <= end || call.arguments.has(Self.follow) else {
        throw UsageError(
          "`--after \(after)` is beyond the end of the book, which is at position \(end).",
          remedy: "Give a position up to \(end), or add `--follow` to wait for later events.")
      }
      try PastRendering.refuse(after: after, reader)
    }
    let follows = call.arguments.has(Self.follow)
    var table =
      follows ? EventRendering.followedTable((try? reader.accounts()) ?? []) : EventRendering.table
    let events = try print(filter, reader, call, &table)
    if events.count == Self.usualLimit, call.arguments[Self.limit] == nil, !call.output.isJSON {
      call.output.message("These are the last \(Self.usualLimit); `--limit N` prints more.")
    }
    if events.isEmpty, !follows { call.output.empty("No events match.") }
    if !call.output.isJSON { try tellPast(filter, events, reader, call.output) }
    guard follows else { return .done }
    filter.after = events.last ?? filter.after ?? end
    filter.limit = nil
    try await follow(filter, reader, call, table, hasHeadings: events.isEmpty)
    return .done
  }

  /// Says where the events before the first printed ones are, when the log has no more of them.
  @MainActor private func tellPast(
    _ filter: EventFilter, _ events: [Position], _ reader: BookReader, _ output: Output
  ) throws {
    guard let past = try reader.continuation() else { return }
    let isCut = filter.after.map { $0 >= past.floor } ?? (events.count == filter.limit)
    guard !isCut else { return }
    PastRendering.tell(past, reader, output)
  }

  @MainActor private func filter(_ call: Call, _ reader: BookReader) throws -> EventFilter {
    let arguments = call.arguments
    let account = try call.namedAccount(reader)?.account
    let kind = try arguments[Self.kind].map { try KindArgument.read($0, reader) }
    let span = try TimeSpan.read(Self.since, Self.until, call)
    var filter = EventFilter(
      account: account, kind: kind, since: span.start, until: span.end,
      failedOnly: arguments.has(Self.failed),
      after: try arguments.integer(Self.after, in: 0...(.max)).map(Position.init(rawValue:)),
      limit: try arguments.integer(Self.limit, in: 1...1_000_000_000).map(Int.init))
    if filter.limit == nil, filter.after == nil, !call.output.isJSON {
      filter.limit = Self.usualLimit
    }
    return filter
  }

  /// Prints what a filter lets through, as rows of a table that are gone from it then.
  ///
  /// - Returns: The positions that were printed.
  @MainActor private func print(
    _ filter: EventFilter, _ reader: BookReader, _ call: Call, _ table: inout TextTable,
    hasHeadings: Bool = true
  ) throws -> [Position] {
    // Of one state of the book: what an archive takes over meanwhile is not missing.
    let (events, missing) = try reader.inSnapshot { () throws(GatebookError) in
      let events = try reader.events(filter)
      return (
        events,
        MissingEvents(
          among: events.map(\.position), of: filter, upTo: try reader.head().size,
          try reader.continuation())
      )
    }
    var printed = 0
    if call.output.isJSON {
      for event in events {
        guard call.output.hasReader else { break }
        if printed & 0xFF == 0 { try Task.checkCancellation() }
        call.output.json(EventRendering.json(event))
        printed += 1
      }
    } else if !events.isEmpty {
      // If the events that name the accounts are lost, the others are printed all the same.
      let accounts =
        missing.ranges.isEmpty ? try reader.accounts() : (try? reader.accounts()) ?? []
      let names = AccountNames(accounts)
      for event in events {
        table.add(
          EventRendering.row(
            event, names: names, call.output.times, of: Self.start(of: event, reader),
            isWhole: !call.output.isTerminal))
      }
      call.output.table(table, hasHeadings: hasHeadings)
      table.removeRows()
      printed = events.count
    }
    // The output may be gone: a disk that is full, or a reader that went away.
    try call.output.finish()
    let positions = events.map(\.position)
    if call.output.hasReader {
      try ToldEvents.check(Array(positions.prefix(printed)), missing: missing, reader)
    }
    return positions
  }

  /// The beginning of a login that the event ended without success: it says where that was, and
  /// whose.
  private static func start(of event: RecordedEvent, _ reader: BookReader) -> RecordedEvent? {
    let ends = [EventKind.loginFailed, .loginCancelled].map(\.rawValue)
    guard ends.contains(event.kind), let cause = event.cause,
      // The check after the rows reports what is missing or damaged.
      let start = try? reader.event(at: cause), start.kind == EventKind.loginStarted.rawValue
    else { return nil }
    return start
  }

  /// Looks for other processes' commits until the reader is gone or the run is cancelled.
  @MainActor private func follow(
    _ start: EventFilter, _ reader: BookReader, _ call: Call, _ table: TextTable,
    hasHeadings: Bool
  ) async throws {
    var (filter, table, hasHeadings) = (start, table, hasHeadings)
    var commits = CommitWatch()
    while call.output.isRead {
      if try commits.look(reader) {
        let last = try print(filter, reader, call, &table, hasHeadings: hasHeadings).last
        filter.after = last ?? filter.after
        hasHeadings = hasHeadings && last == nil
      }
      try Task.checkCancellation()
      await call.surroundings.clock.pause(for: CommitWatch.interval)
    }
  }
}
