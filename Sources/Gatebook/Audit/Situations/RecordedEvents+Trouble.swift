extension RecordedEvent {
  /// Whether it tells how the server was found, or has answered.
  var tellsOfServer: Bool {
    failure.code != nil || isPart(.server)
  }

  /// Whether it shows the person a page, or a code for another device.
  var asksPerson: Bool {
    isKind(.challengeReceived) && isOfPage
  }

  /// Whether it is about a page, or a code for another device.
  fileprivate var isOfPage: Bool { ["redirect", "device"].contains(challenge.scheme) }

  /// Whether it is about what a former session has left to be told, or a password that was checked
  /// without the server.
  fileprivate var isAside: Bool {
    challenge.isOffline || isPart(.aside)
  }
}

extension [RecordedEvent] {
  /// Those without the events of interactive logins at another server: automatic logins go to the
  /// account's server.
  func at(_ server: String) -> [RecordedEvent] {
    let elsewhere = Set(
      filter { event in
        event.facts(of: LoginStarted.self).map { $0.isInteractive && $0.server != server } ?? false
      }.compactMap(\.session))
    return filter { event in event.session.map { !elsewhere.contains($0) } ?? true }
  }

  /// Those that tell of the server, and of nothing else.
  var ofServer: [RecordedEvent] { filter { !$0.isAside } }

  /// Those that tell how what the account has was sent: how somebody's own login fared, with a
  /// trust and at a place of its own, says nothing of that.
  var ofUse: [RecordedEvent] {
    let told = ofServer
    var saved: Set<SessionID> = []
    var own: Set<SessionID> = []
    for event in told {
      guard let session = event.session else { continue }
      if event.isKind(.credentialsLoaded) { saved.insert(session) }
      if event.endsLoginInVain { own.insert(session) }
    }
    own.subtract(saved)
    return told.filter { event in
      !event.isOfPage
        && event.session.map { !own.contains($0) } ?? true
    }
  }

  /// The last one that tells how the server was found; `nil` where that is settled, for the server
  /// has given its word since.
  var lastOfServer: RecordedEvent? {
    guard let index = lastIndex(where: \.tellsOfServer),
      !self[index...].contains(where: CauseChain.isBaseline)
    else { return nil }
    return self[index]
  }

  /// What the last failure among them calls for.
  var failureAdvice: Advice? {
    guard let index = lastIndex(where: { $0.failure.code != nil }) else { return nil }
    let failure = self[index]
    if failure.failure.isOfTrust,
      self[index...].contains(where: { $0.trust?.verdict == "trusted" })
    {
      return nil
    }
    guard failure.failureAdvice == .checkServer,
      let refusal = last(where: \.refusesServer)?.trust
    else { return failure.failureAdvice }
    return refusal.advice
  }

  /// What the certificate calls for, where the last that is known of the server is that it was
  /// refused.
  var certificateAdvice: Advice? {
    guard let last = lastOfServer else { return nil }
    if last.refusesServer, let advice = last.trust?.advice {
      // What is only out of date is so by this machine's clock.
      return advice == .askServer && contains(where: \.tellsOfWrongClock) ? .checkClock : advice
    }
    return last.failure.isOfTrust ? failureAdvice : nil
  }

  /// What must be looked at before anything more is sent: the last that is known of the server
  /// calls for it.
  ///
  /// - Parameter isLast: Whether nothing more is sent automatically, so that a possible cause
  ///   counts as the cause.
  /// - Returns: `nil` for nothing.
  func obstacle(isLast: Bool = false) -> Advice? {
    if let advice = certificateAdvice { return advice }
    guard let last = lastOfServer, last.failure.code != nil, !last.isKind(.trustDecided)
    else { return nil }
    if isLast, last.failure.fault?.lacksClientCertificate == true { return .giveCertificate }
    return failureAdvice.flatMap {
      [.checkServer, .checkSettings, .checkClock, .checkIdentity, .askServer, .giveCertificate]
        .contains($0)
        ? $0 : nil
    }
  }

  /// Whether the server has blocked what the last login asked for.
  var isBlocked: Bool {
    let last = last { event in
      [EventKind.loginFailed, .challengeFailed, .checkSucceeded].contains(where: event.isKind)
    }
    return last?.failure.code == .challengeBlocked
  }

  /// Whether the server has answered the last login by a time in which it wants no other (RFC 6585
  /// section 4, RFC 9110 section 10.2.3).
  func isSilenced(at now: Moment?) -> Bool {
    // One that the server did not answer since takes nothing of it back, one that it granted does.
    guard let now,
      let last = last(where: {
        $0.isKind(.loginSucceeded) || $0.isKind(.refreshSucceeded)
          || $0.isKind(.loginFailed) && $0.failure.status != nil
      }), let failed = last.facts(of: LoginFailed.self),
      [429, 503].contains(failed.failure.status),
      let wait = failed.retryAfter
    else { return false }
    // A clock that was set back since says nothing of how long that is.
    return now.wall >= last.at && last.at + wait > now.wall
  }

  /// How the login has failed that was to satisfy what a server demands; `nil` where there was none
  /// since.
  var stepUpFailure: FailureCode? {
    guard let demand = lastIndex(where: \.challenge.isStepUp) else { return nil }
    return self[demand...].last { $0.isKind(.loginFailed) }?.failure.code
  }
}
