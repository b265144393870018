extension Requests {
  /// What another program sends to a URL in an account's name.
  func credential(
    of account: AccountID, for url: HTTPURL, realm: String?
  ) async throws(GatebookError) -> ProgramCredential {
    let now = ledger.clock.now()
    if let ready = try renewals.readySession(of: account, at: now)?.session,
      ready.stored.owns(url), ready.stored.proof.passwordBearing != nil,
      let password = ready.credential(at: url, realms: realm.map { [$0] }, now: now)
    {
      return password
    }
    var session = try await renewals.requireSession(of: account)
    guard session.stored.owns(url) else { throw foreign(url, account) }
    guard session.stored.proof.passwordBearing != nil else {
      return ProgramCredential(try await token(for: account), of: session.context)
    }
    session = try await offline.enforceOfflineLimit(session)
    session = try await renewals.settlingQuestion(session)
    guard
      let password = session.credential(
        at: url, realms: realm.map { [$0] }, now: ledger.clock.now())
    else { throw Self.elsewhere }
    return password
  }

  /// The same of one program is recorded at most once in this time, and the server is asked at most
  /// once a minute.
  private static let reportInterval = Duration.seconds(3600)
  private static let questionInterval = Duration.seconds(60)

  /// Records that a program's credential was accepted by the server.
  func reportAccepted(
    _ secret: Secret, of account: AccountID, by program: String
  ) async throws(GatebookError) {
    guard let session = try ledger.openSession(of: account), isCurrent(secret, of: session),
      try !isReported(
        CredentialAccepted.self, of: session, within: Self.reportInterval,
        where: { $0.program == program })
    else { return }
    try await record(CredentialAccepted(program: program), of: session)
  }

  /// Records that a program's credential was rejected by the server, and asks the server about the
  /// session.
  func reportRejected(
    _ secret: Secret, of account: AccountID, by program: String
  ) async throws(GatebookError) {
    guard let session = try ledger.openSession(of: account) else { return }
    var rejected = CredentialRejected(program: program)
    rejected.isFormer = !isCurrent(secret, of: session)
    try await record(rejected, of: session, asking: { self.isCurrent(secret, of: $0) })
  }

  /// Records that a program asked to forget an account's credential, and asks the server about the
  /// session.
  func reportRemoved(of account: AccountID, by program: String) async throws(GatebookError) {
    guard let session = try ledger.openSession(of: account) else { return }
    var rejected = CredentialRejected(program: program)
    rejected.isRemoval = true
    try await record(rejected, of: session, asking: { _ in true })
  }

  /// Records a report, unless the same was recorded a short time ago, and asks the server about the
  /// session if its credential is still the one of the report.
  private func record(
    _ rejected: CredentialRejected, of session: OpenSession,
    asking isMeant: (OpenSession) -> Bool
  ) async throws(GatebookError) {
    let account = session.context.account
    let isReported = try isReported(
      CredentialRejected.self, of: session,
      within: rejected.isFormer ? Self.reportInterval : Self.questionInterval,
      where: {
        $0.isFormer == rejected.isFormer && (!$0.isFormer || $0.program == rejected.program)
      })
    guard !isReported else { return }
    try await record(rejected, of: session)
    guard !rejected.isFormer, let session = try ledger.openSession(of: account),
      isMeant(session)
    else { return }
    try await ask(about: session)
    let context = try ledger.recordedContext(of: account)
    guard context.state.isUsable else { throw Ledger.needsLogin(context) }
  }

  /// Asks the server about a session that a program doubts: only the server's own word ends it.
  private func ask(about session: OpenSession) async throws(GatebookError) {
    if session.isRenewed { return try await renewals.renew(session, .refused) }
    do throws(GatebookError) {
      _ = try await renewals.verify(session)
    } catch  where error.code == .loginUnprovable {
      // No page of this server says whether the session lives: a program's word is no answer.
    }
  }

  private func record(
    _ facts: some EventFacts, of session: OpenSession
  ) async throws(GatebookError) {
    try await ledger.update(session) { current in
      var append = Append([current.event(facts)])
      append.mayBeGivenUp = true
      return append
    }
  }

  /// Whether a secret is what the session's requests carry now.
  private func isCurrent(_ secret: Secret, of session: OpenSession) -> Bool {
    let server = HTTPURL(session.context.server)
    let password = server.flatMap {
      session.stored.proof.passwordBearing?.password(at: $0, realm: nil)
    }
    return secret == (password?.password ?? session.bearer(at: ledger.clock.now())?.value)
  }

  /// Whether a program's report on a session was recorded a short time ago.
  private func isReported<Report: EventFacts>(
    _ kind: Report.Type, of session: OpenSession, within interval: Duration,
    where matches: (Report) -> Bool
  ) throws(GatebookError) -> Bool {
    let now = ledger.clock.now().wall
    let recent = EventFilter(
      account: session.context.account, session: session.session, kind: Report.kind.rawValue,
      since: now - interval)
    // A clock that was set back since says nothing of how long that is.
    return try ledger.reader.events(recent).contains {
      $0.at <= now && $0.facts(of: Report.self).map(matches) == true
    }
  }

  private static let elsewhere = GatebookError(
    .configurationInvalid,
    "The account's password is not for this part of the server, or Gatebook keeps no password of it.",
    kept: "The session is kept. Nothing was handed out.",
    remedy: "Send requests as this account with `SessionBook.send` instead.")
}
