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
        ? " Its outcome is not recorded, and it can no longer be continued."
        : start.isKind(.logoutRequested)
          ? " It is not recorded whether the server was told." : " Its outcome is not recorded."
    }
    return remarks
  }

  /// Whether only its deadline keeps a login from continuing.
  func isOverdue(_ login: RecordedEvent, at now: Moment?) throws(GatebookError) -> Bool {
    guard login.isKind(.loginStarted), let session = login.session,
      try waits(session, at: nil)
    else { return false }
    return try !waits(session, at: now)
  }
}

extension [RecordedEvent] {
  /// The remark for deliveries that a reader may confuse with the present session: what they are
  /// about.
  var deliveryRemarks: [Position: Sentence] {
    let causes = Dictionary(map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
    let logins = filter { $0.isKind(.loginSucceeded) }.map(\.position)
    let logouts = filter { $0.isKind(.logoutRequested) }.count
    var remarks: [Position: Sentence] = [:]
    for event in self where event.isKind(.revocationSucceeded) || event.isKind(.revocationFailed) {
      guard let cause = event.cause.flatMap({ causes[$0] }) else { continue }
      if cause.isKind(.loginFailed) {
        remarks[event.position] = " That belonged to the login that failed at \(cause.at)."
      } else if cause.isKind(.logoutRequested),
        logouts > 1 || logins.contains(where: { cause.position < $0 && $0 < event.position })
      {
        remarks[event.position] =
          " That belonged to the session that was logged out at \(cause.at)."
      }
    }
    return remarks
  }
}

extension RecordedEvent {
  /// Whether it begins a login, a renewal or a logout, which another one is to end.
  var isBeginning: Bool {
    isPart(.begins) && (!isKind(.logoutRequested) || delivery.outbox != nil)
  }

  /// Whether it ends the work that such an event has begun; as a rule that event is its cause.
  var isEnd: Bool { isPart(.ends) }
}
