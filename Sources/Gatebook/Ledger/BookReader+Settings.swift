extension BookReader {
  /// The settings of an account's last login.
  ///
  /// - Parameter account: The account, logged out or not.
  /// - Returns: The settings; `nil` if they are unknown, because the account was erased or its
  ///   session ended before Gatebook kept them.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  public func savedSettings(of account: AccountID) throws(GatebookError) -> SavedSettings? {
    guard let bytes = try settings(of: account) else { return nil }
    guard var settings = SavedSettings(bytes, of: account, trust: try trust(of: account)) else {
      throw GatebookError(
        .storageDamaged, "This version of Gatebook cannot read the account's settings.",
        kept: "The account and its session are kept.",
        remedy: "Use the version that logged in, or a newer one.")
    }
    // Repeating the login does not save credentials again that were removed.
    if try !hasSecret(of: account, purpose: Purpose.credentials) {
      settings = settings.savingNothing
    }
    return settings
  }

  /// Which TLS servers an account trusts, as decided at its logins and challenges.
  ///
  /// - Parameter account: The account.
  /// - Returns: The policy; the default if nothing was decided.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  public func trust(of account: AccountID) throws(GatebookError) -> Trust {
    guard let bytes = try secret(of: account, purpose: Purpose.trust) else { return .system }
    guard let trust = Facts(decoding: bytes).flatMap({ Trust(record: $0) }) else {
      throw GatebookError(
        .storageDamaged, "This version of Gatebook cannot read what the account trusts.",
        kept: "The account is kept.", remedy: "Use the version that recorded it, or a newer one.")
    }
    return trust
  }

  /// The record of the settings; of a session that an earlier version made, what it tells itself.
  private func settings(of account: AccountID) throws(GatebookError) -> [UInt8]? {
    if let bytes = try secret(of: account, purpose: Purpose.settings) { return bytes }
    guard let session = try secret(of: account, purpose: Purpose.session) else { return nil }
    let state = try state(of: account)
    return StoredSession(session).flatMap { SavedSettings.record(of: $0, state) }?.encoded
  }
}
