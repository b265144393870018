public import Gatebook
internal import GatebookEvents

/// What a history of a book was at a time, or after an event.
public enum FleetAsOf: Hashable, Sendable {
  /// After the last event before the first one that is later.
  case moment(Timestamp)
  /// After this event.
  case position(Position)
}

/// The sessions of one history at a time in the past.
public struct FleetPastSessions: Sendable {
  /// The history.
  public let book: FleetBook
  /// The last event that counts.
  public let position: Position
  /// When that was, or the moment that was asked for.
  public let moment: Timestamp
  /// The sessions in the order of their logins.
  public let sessions: [SessionSummary]
}

extension FleetReader {
  /// The sessions of one history of a book at a time in the past.
  ///
  /// They are folded from its events up to then, which are read for it.
  ///
  /// - Parameters:
  ///   - scope: Which history, and which of its accounts.
  ///   - asOf: Which time.
  /// - Returns: The sessions.
  /// - Throws: `configuration.invalid` for none or more than one history, and for a time of which
  ///   the fleet has no events; `fleet` failures.
  public func sessions(
    _ scope: FleetScope, asOf: FleetAsOf
  ) async throws(GatebookError) -> FleetPastSessions {
    try await ask(scope) { (selection, connection) async throws(GatebookError) in
      guard let book = selection.only else {
        throw FleetPast.invalid(
          "The past is shown of one history of a book at a time.",
          "Name one with `FleetScope.book` and `FleetScope.branch`: `FleetReader.books()` lists them."
        )
      }
      let past = FleetPast(selection, book, connection)
      let (position, moment) = try past.end(asOf)
      let fold = try past.fold(upTo: position)
      var clocks: Moment?
      if case .moment(let moment) = asOf { clocks = .past(moment) }
      let sessions = SessionSummary.list(
        fold.sessions.map { (id: $0.key, state: $0.value) }, of: selection.accounts?.of(book.id),
        Array(fold.accounts.values), at: clocks)
      return FleetPastSessions(
        book: book, position: position, moment: moment, sessions: sessions)
    }
  }
}
