public import Gatebook
internal import GatebookEvents

extension FleetReader {
  /// The totals of books.
  ///
  /// They come from counters. For an account its book's events are read.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - days: Only what happened on these days; `nil` for all. Open sessions are always those of
  ///     now.
  ///   - now: The time to count for: a session that has expired by then is not open.
  /// - Returns: The figures.
  /// - Throws: `configuration.invalid` for a book or an account that there is not; `fleet`
  ///   failures.
  public func statistics(
    _ scope: FleetScope = FleetScope(), on days: ClosedRange<Day>? = nil, at now: Timestamp
  ) async throws(GatebookError) -> FleetStatistics {
    try await ask(scope, isListed: false) {
      (selection, connection) async throws(GatebookError) in
      let counters = FleetCounters(selection, connection)
      let directory = try counters.directory(on: days, at: .past(now))
      return FleetStatistics(
        tally: try counters.tally(on: days), books: directory.books, accounts: directory.accounts,
        openSessions: directory.openSessions, first: directory.first, last: directory.last)
    }
  }

  /// The number of events of each kind.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - days: Only what happened on these days; `nil` for all.
  /// - Returns: The tally.
  /// - Throws: As ``statistics(_:on:at:)``.
  public func tally(
    _ scope: FleetScope = FleetScope(), on days: ClosedRange<Day>? = nil
  ) async throws(GatebookError) -> Tally {
    try await ask(scope, isListed: false) {
      (selection, connection) async throws(GatebookError) in
      try FleetCounters(selection, connection).tally(on: days)
    }
  }

  /// The number of events of each kind, for each day with events.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - days: Only these days; `nil` for all.
  /// - Returns: A tally for each day.
  /// - Throws: As ``statistics(_:on:at:)``.
  public func tallyByDay(
    _ scope: FleetScope = FleetScope(), on days: ClosedRange<Day>? = nil
  ) async throws(GatebookError) -> [Day: Tally] {
    try await ask(scope, isListed: false) {
      (selection, connection) async throws(GatebookError) in
      try FleetCounters(selection, connection).tallyByDay(on: days)
    }
  }

  /// The number of events of each kind, for each history.
  ///
  /// - Parameters:
  ///   - scope: Which books.
  ///   - days: Only what happened on these days; `nil` for all.
  /// - Returns: A tally for each history with events, in the order of their machines' names.
  /// - Throws: As ``statistics(_:on:at:)``.
  public func tallyByBook(
    _ scope: FleetScope = FleetScope(), on days: ClosedRange<Day>? = nil
  ) async throws(GatebookError) -> [FleetEntry<Tally>] {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      try FleetCounters(selection, connection).tallyByBook(on: days)
    }
  }

  /// The number of events of each kind, for each account of one history; `nil` is the book itself.
  ///
  /// Its events are read for it.
  ///
  /// - Parameters:
  ///   - scope: Which history.
  ///   - days: Only what happened on these days; `nil` for all.
  /// - Returns: A tally for each stream that has events.
  /// - Throws: `configuration.invalid` for more than one history; as ``statistics(_:on:at:)``.
  public func tallyByAccount(
    _ scope: FleetScope, on days: ClosedRange<Day>? = nil
  ) async throws(GatebookError) -> [AccountID?: Tally] {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      try FleetCounters(selection, connection).tallyByAccount(on: days)
    }
  }

  /// Which programs sent requests through proxies, and how many: the busiest first.
  ///
  /// It reads the events `proxy.used` and `proxy.ended`.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - days: Only what was recorded on these days; `nil` for all.
  /// - Returns: The programs.
  /// - Throws: As ``statistics(_:on:at:)``.
  public func programs(
    _ scope: FleetScope = FleetScope(), on days: ClosedRange<Day>? = nil
  ) async throws(GatebookError) -> [ProgramActivity] {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      var activities = ProgramActivities()
      let kinds = ProgramActivities.kinds.map(\.rawValue)
      try FleetKindScan(selection, connection).scan(
        kinds, since: days?.lowerBound.start, until: days?.end
      ) { (row) throws(GatebookError) in
        guard let data = Facts(decoding: row.bytes(FleetKindScan.data)) else { return }
        activities.take(data, at: Timestamp(rawValue: row.integer(FleetKindScan.at)))
      }
      return activities.sorted
    }
  }
}

extension ClosedRange<Day> {
  /// The first moment after them.
  var end: Timestamp {
    upperBound.rawValue == .max
      ? Timestamp(rawValue: .max) : Day(rawValue: upperBound.rawValue + 1).start
  }
}
