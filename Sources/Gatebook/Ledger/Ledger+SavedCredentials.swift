extension Ledger {
  /// Whether the account has saved what may log it in again.
  func hasSavedCredentials(_ account: AccountID) throws(GatebookError) -> Bool {
    try reader.secret(of: account, purpose: Purpose.credentials) != nil
  }

  /// The credentials for challenges that outlive the account's sessions, as far as they can be
  /// read.
  func keptCredentials(of account: AccountID) throws(GatebookError) -> [GivenCredential] {
    try credentials(of: account).known
  }

  /// All that outlives the account's sessions for challenges.
  func credentials(of account: AccountID) throws(GatebookError) -> KeptCredentials {
    guard let bytes = try reader.secret(of: account, purpose: Purpose.challenges) else {
      return KeptCredentials()
    }
    guard let list = Facts(decoding: bytes)?["given"]?.list else {
      // What cannot be read must not be written over (rule 9).
      throw GatebookError(
        .storageDamaged,
        "This version of Gatebook cannot read the account's saved credentials for challenges.",
        kept: "The account is kept.",
        remedy:
          "Remove them with `SessionBook.removeCredentials(of:)`, then try again.")
    }
    return KeptCredentials(record: list)
  }

  /// Whether an account has saved credentials that can log it in again automatically, and that no
  /// server has rejected.
  func hasSavedLogin(_ account: AccountID) throws(GatebookError) -> Bool {
    guard try reader.state(of: account)?.logsInAgain == true else { return false }
    return try reader.hasSecret(of: account, purpose: Purpose.credentials)
  }

  /// The refusal that ended the renewal of an account's session.
  ///
  /// - Parameter state: The account's state.
  /// - Returns: `token.refused`; `nil` where the session is renewed.
  /// - Throws: Storage failures.
  func refusedToken(of state: AccountState) throws(GatebookError) -> GatebookError? {
    guard let end = state.renewalEnd else { return nil }
    let failed = try reader.event(at: end.position)?.facts(of: RefreshFailed.self)
    return GatebookError(
      .tokenRefused, "The server rejected the refresh token, so the session cannot be renewed.",
      kept: "The account, its attributes and its history are kept.", remedy: "Log in again.",
      status: failed?.failure.status.map { Int($0) }, serverCode: failed?.failure.error)
  }

  /// What the end of a session tells of its refresh token where that is saved too and was sent
  /// without an answer: who logs in with it counts on.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - isUsedUp: Whether the server has refused the token after that.
  /// - Returns: How often it was sent, and its fingerprint; `nil` if the token's state is known.
  /// - Throws: Storage failures.
  func doubtOfSaved(
    _ account: AccountID, isUsedUp: Bool = false
  ) throws(GatebookError) -> (attempt: Int64, fingerprint: String)? {
    guard let state = try reader.state(of: account) else { return nil }
    var attempt = max(state.unanswered, state.intent?.attempt ?? 0)
    if isUsedUp { attempt = SavedUse.maximumUses }
    guard attempt > 0, let session = try stored(Purpose.session, of: account),
      let saved = try savedSession(of: account), saved.proof.isSpent(with: session.proof),
      let fingerprint = try fingerprint(of: saved.proof, for: account)
    else { return nil }
    return (attempt, fingerprint)
  }

  /// What tells a proof's secret from others in the log; `nil` for a proof that has none.
  func fingerprint(
    of proof: any SessionProof, for account: AccountID
  ) throws(GatebookError) -> String? {
    guard let secret = proof.tokenBearing?.fingerprinted else { return nil }
    return try reader.fingerprint(of: secret, for: account)
  }

  /// Whether what was saved is what the server has refused of the session: the same password, the
  /// same refresh token, or the same token that logs in as it is.
  ///
  /// - Parameters:
  ///   - error: The refusal.
  ///   - account: The account; its session has not ended yet.
  /// - Returns: Whether it is.
  /// - Throws: Storage failures.
  func isSavedRefused(
    by error: GatebookError, _ account: AccountID
  ) throws(GatebookError) -> Bool {
    guard let saved = try savedSession(of: account),
      let session = try stored(Purpose.session, of: account)
    else { return false }
    if error.code == .tokenRefused { return saved.proof.isSpent(with: session.proof) }
    guard saved.proof.record == session.proof.record else { return false }
    switch error.code {
    case .credentialsRefused: return true
    // What proves a session without its jar is a login: Basic, Digest, signatures.
    case .sessionRefused: return saved.proof.renewable?.renewal(jar: CookieJar()) == nil
    default: return false
    }
  }

  /// Whether an account's password can be checked without the network.
  func hasOfflineVerifier(_ account: AccountID) throws(GatebookError) -> Bool {
    try reader.secret(of: account, purpose: Purpose.offline) != nil
  }

  /// Keeps what a session tells of its login, which ends with it, where nothing else is kept of
  /// that.
  func keepingSettings(of account: AccountID) -> [Append.VaultChange] {
    // What cannot be read must not keep a session from its end.
    guard (try? reader.hasSecret(of: account, purpose: Purpose.settings)) == false,
      let session = try? stored(Purpose.session, of: account),
      let state = try? reader.state(of: account),
      let record = SavedSettings.record(of: session, state)
    else { return [] }
    return [.set(account, purpose: Purpose.settings, generation: 1, content: record.encoded)]
  }
}
