extension BookReader {
  /// More uses of one token than that nobody counts.
  private static let mostUses = 64

  /// The refusals of refresh tokens that this book had never sent before.
  ///
  /// Such a token was spent by somebody else, or the server has revoked or forgotten it: that is all
  /// that can be said from here.
  ///
  /// - Parameter events: What led to a state, the beginnings of renewals among it.
  /// - Returns: The positions of the refusals.
  /// - Throws: Storage failures.
  func firstUses(_ events: [RecordedEvent]) throws(GatebookError) -> Set<Position> {
    var found: Set<Position> = []
    for refusal in events
    where refusal.isKind(.refreshFailed) && refusal.data["error"]?.text == "invalid_grant" {
      guard let start = events.first(where: { $0.position == refusal.cause }),
        start.isKind(.refreshStarted), !events.contains(where: { $0.hasRevoked(before: refusal) }),
        try knowsUses(before: start, events), try isFirstUse(start)
      else { continue }
      found.insert(refusal.position)
    }
    return found
  }

  /// Whether each use of a token is in the log: what is archived or lost tells of none.
  private func knowsUses(
    before start: RecordedEvent, _ events: [RecordedEvent]
  ) throws(GatebookError) -> Bool {
    guard start.data["attempt"]?.integer ?? 1 <= 1 else { return false }
    guard let floor = try continuation()?.floor else { return true }
    return events.contains {
      $0.position > floor && $0.position < start.position && CauseChain.isGround($0)
    }
  }

  private func isFirstUse(_ start: RecordedEvent) throws(GatebookError) -> Bool {
    guard let account = start.account, let sent = start.data["fingerprint"] else { return false }
    for kind in [EventKind.refreshStarted, .credentialsLoaded] {
      var filter = EventFilter()
      filter.account = account
      filter.kind = kind.rawValue
      filter.limit = Self.mostUses
      let uses = try events(filter)
      // What lies further back is not looked for, and nothing is said of it.
      guard let oldest = uses.first else { continue }
      guard oldest.position < start.position || uses.count < Self.mostUses else { return false }
      for use in uses where use.position < start.position && use.data["fingerprint"] == sent {
        guard try hasStayed(use) else { return false }
      }
    }
    return true
  }

  /// Whether what a renewal was about to send was never sent: its server was not reached.
  private func hasStayed(_ use: RecordedEvent) throws(GatebookError) -> Bool {
    guard use.isKind(.refreshStarted) else { return false }
    var filter = EventFilter()
    filter.account = use.account
    filter.kind = EventKind.refreshDeferred.rawValue
    filter.after = use.position
    filter.limit = 1
    guard let end = try events(filter).first, end.cause == use.position else { return false }
    return end.data["status"] == nil
      && end.data["code"]?.text == FailureCode.networkUnreachable.rawValue
  }
}

extension RecordedEvent {
  /// Whether it tells that this book itself had the server end what a refusal is about.
  fileprivate func hasRevoked(before refusal: RecordedEvent) -> Bool {
    guard position < refusal.position else { return false }
    return isKind(.revocationSucceeded)
      || (isKind(.logoutCompleted) && data["server"]?.text == "done")
  }
}
