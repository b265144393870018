extension BookReader {
  /// So many events behind the beginning of a renewal are looked at for its end, which follows at once as a
  /// rule.
  private static let page = 1024

  /// What is said of events that began something of which nothing tells how it ended.
  ///
  /// - Parameters:
  ///   - events: What led to a state.
  ///   - now: A login that waits for the person has its time, which may be over by then.
  /// - Returns: Sentences by the events' positions.
  /// - Throws: Storage failures.
  func unendedRemarks(
    _ events: [RecordedEvent], at now: Moment?
  ) throws(GatebookError) -> [Position: Sentence] {
    let ended = Set(events.compactMap { $0.isEnd ? $0.cause : nil })
    var remarks: [Position: Sentence] = [:]
    for start in events where !ended.contains(start.position) {
      guard try isUnended(start) else { continue }
      remarks[start.position] =
        try isOverdue(start, at: now)
        ? " No end of that is recorded, and the time in which it could go on is over."
        : " No end of that is recorded."
    }
    return remarks
  }

  /// Whether a login still could go on, but for its time.
  func isOverdue(_ login: RecordedEvent, at now: Moment?) throws(GatebookError) -> Bool {
    guard login.isKind(.loginStarted), let session = login.session,
      try waits(session, at: nil)
    else { return false }
    return try !waits(session, at: now)
  }

  /// Whether an event began a login or a renewal, and nothing in the log tells how that ended.
  private func isUnended(_ start: RecordedEvent) throws(GatebookError) -> Bool {
    guard start.isBeginning else { return false }
    var filter = EventFilter()
    if start.isKind(.loginStarted) {
      guard let session = start.session else { return false }
      // Nobody knows its account before it has ended.
      filter.session = session
    } else {
      filter.account = start.account
    }
    filter.after = start.position
    filter.limit = Self.page
    let later = try events(filter)
    return !later.contains { $0.ends(start) } && later.count < Self.page
  }
}

extension RecordedEvent {
  /// Whether it begins a login or a renewal, which another one is to end.
  var isBeginning: Bool { isKind(.loginStarted) || isKind(.refreshStarted) }

  /// Whether it is of a login with what was saved, that asks nobody.
  var isSilent: Bool { data["interactive"]?.bool == false }

  /// Whether it ends a login or a renewal.
  var isEnd: Bool {
    switch EventKind(rawValue: kind) {
    case .loginSucceeded, .loginFailed, .loginCancelled, .refreshSucceeded, .refreshFailed,
      .refreshDeferred, .refreshDiscarded, .refreshAdopted, .sessionUncertain, .sessionEnded:
      true
    default: false
    }
  }

  /// Whether it ends what an event began.
  func ends(_ start: RecordedEvent) -> Bool {
    // What it has taken over is another renewal's.
    if isKind(.refreshAdopted) { return start.isKind(.refreshStarted) && start.writer == writer }
    return isEnd && cause == start.position
  }
}
