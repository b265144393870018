extension Ledger {
  /// The scopes that an account's login requested and its server did not grant; the session works
  /// for the others.
  func missingScopes(of account: AccountID) throws(GatebookError) -> [String] {
    try openSession(of: account)?.stored.proof.tokenBearing?.missingScopes ?? []
  }

  /// Opens an account's session as the book has it now, so another process's renewal is never
  /// overlooked.
  ///
  /// - Throws: `session.refused` when there is none that can be used.
  func openSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    guard let session = try storedSession(of: account) else { return nil }
    // What a full disk could not take yet is newer than what is on it.
    return held[account]?.renewal?.over(session) ?? session
  }

  /// An account's session as it is on disk.
  func storedSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    if let last = try unchanged(account) { return last.session }
    // Before the snapshot: whatever is committed after it has another mark.
    let mark = try reader.commitMark()
    return try reader.inSnapshot { () throws(GatebookError) -> OpenSession? in
      let session = try readSession(of: account)
      lastRead[account] = session.map { LastRead(mark: mark, session: $0) }
      return session
    }
  }

  /// What was read last of an account; `nil` if somebody has committed since, or nothing was read.
  ///
  /// To see whether somebody has is far cheaper than to read and decrypt the session again.
  func unchanged(_ account: AccountID) throws(GatebookError) -> LastRead? {
    guard let last = lastRead[account] else { return nil }
    guard try reader.commitMark() == last.mark else {
      // All of them: an account that was logged out or erased is not asked about again.
      lastRead = [:]
      return nil
    }
    return last
  }

  private func readSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    // As it is recorded: who begins to use a session asks whether it has expired.
    guard let context = try reader.context(of: account) else { throw Self.unknown(account) }
    guard context.state.isUsable, let state = try reader.state(of: account),
      let session = state.session
    else { throw Self.needsLogin(context) }
    guard let secret = try reader.secret(of: account, purpose: Purpose.session) else {
      return nil
    }
    let cookies = try reader.secret(of: account, purpose: Purpose.cookies)
    guard let stored = StoredSession(secret) else { throw Self.unreadable("secret") }
    return OpenSession(
      context: context, state: state, session: session, stored: stored,
      jar: try cookies.map(Self.jar) ?? CookieJar())
  }

  /// Reads a jar; one that cannot be read is an error: sent without its cookies, the session would
  /// be lost (rule 9).
  private static func jar(_ bytes: [UInt8]) throws(GatebookError) -> CookieJar {
    guard let jar = Facts(decoding: bytes).flatMap({ CookieJar(record: $0) }) else {
      throw unreadable("cookies")
    }
    return jar
  }

  private static func unreadable(_ what: String) -> GatebookError {
    GatebookError(
      .storageDamaged, "This version of Gatebook cannot read the session's \(what).",
      kept: "The session is kept.", remedy: "Use the version that logged in, or a newer one.")
  }

  static func needsLogin(_ context: SessionContext) -> GatebookError {
    GatebookError(
      .sessionRefused, "The account has no usable session: \(context.state.text).",
      kept: "The account, its attributes and its history are kept.", remedy: "Log in again.")
  }

  /// What the user saved to be logged in again; `nil` for nothing.
  func savedSession(of account: AccountID) throws(GatebookError) -> StoredSession? {
    try stored(Purpose.credentials, of: account)
  }

  /// What the vault keeps for a purpose; `nil` for nothing, and for what cannot be read.
  func stored(
    _ purpose: String, of account: AccountID
  ) throws(GatebookError) -> StoredSession? {
    try reader.secret(of: account, purpose: purpose).flatMap { StoredSession($0) }
  }
}

/// A session that was read, and the mark of the book that it was read from.
///
/// A class: to hand it on copies nothing of the session.
final class LastRead {
  let mark: CommitMark
  let session: OpenSession

  init(mark: CommitMark, session: OpenSession) {
    self.mark = mark
    self.session = session
  }
}
