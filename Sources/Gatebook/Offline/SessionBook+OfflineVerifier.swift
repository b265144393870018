extension SessionBook {
  /// Whether an account's password can be checked without the network.
  package func hasOfflineVerifier(_ account: AccountID) throws(GatebookError) -> Bool {
    try reader.secret(of: account, purpose: Purpose.offline) != nil
  }

  /// What checks a login's password offline, where the person allows it with this login or has
  /// allowed it before.
  ///
  /// - Parameters:
  ///   - method: The login's method.
  ///   - account: The account that the typed name leads to.
  ///   - options: What the person allows.
  /// - Returns: `nil` where nothing is to be kept, or the machine has not the memory for the work:
  ///   a login does not fail for that.
  /// - Throws: A storage failure.
  func offlineVerifier(
    for method: LoginMethod, of account: AccountID?, _ options: LoginOptions
  ) async throws(GatebookError) -> OfflineVerifier? {
    guard let password = method.password else { return nil }
    var isAllowed = options.saveCredentials
    if !isAllowed, let account { isAllowed = try hasOfflineVerifier(account) }
    guard isAllowed else { return nil }
    return await OfflineVerifier.make(of: password, salt: random.bytes(16))
  }

  /// What checks an account's password offline.
  func offlineVerifier(of account: AccountID) throws(GatebookError) -> OfflineVerifier? {
    guard let bytes = try reader.secret(of: account, purpose: Purpose.offline) else { return nil }
    guard let verifier = OfflineVerifier(bytes) else {
      throw GatebookError(
        .storageDamaged,
        "This version of Gatebook cannot read the data that checks the account's password offline.",
        kept: "The session is kept.", remedy: "Log in with the password at the server.")
    }
    return verifier
  }
}
