extension BookReader {
  /// What is said of events that began something of which nothing tells how it ended.
  ///
  /// - Parameters:
  ///   - unended: The events, by their positions.
  ///   - now: A login that waits for the person has its time, which may be over by then.
  /// - Returns: Sentences by the events' positions.
  /// - Throws: Storage failures.
  func remarks(
    onUnended unended: [Position: RecordedEvent], at now: Moment?
  ) throws(GatebookError) -> [Position: Sentence] {
    var remarks: [Position: Sentence] = [:]
    for start in unended.values {
      remarks[start.position] =
        try isOverdue(start, at: now)
        ? " No end of that is recorded, and the time in which it could go on is over."
        : start.isKind(.logoutRequested)
          ? " Whether the server heard of it is not recorded." : " No end of that is recorded."
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
}

extension RecordedEvent {
  /// Whether it begins a login, a renewal or a logout, which another one is to end.
  var isBeginning: Bool {
    isKind(.loginStarted) || isKind(.refreshStarted)
      || isKind(.logoutRequested) && data["outbox"] != nil
  }

  /// Whether it is of a login with what was saved, that asks nobody.
  var isSilent: Bool { data["interactive"]?.bool == false }

  /// Whether it ends what such a one has begun, which has caused it as a rule.
  var isEnd: Bool {
    switch EventKind(rawValue: kind) {
    case .loginSucceeded, .loginFailed, .loginCancelled, .refreshSucceeded, .refreshFailed,
      .refreshDeferred, .refreshDiscarded, .refreshAdopted, .sessionUncertain, .sessionEnded,
      .logoutCompleted:
      true
    default: false
    }
  }
}
