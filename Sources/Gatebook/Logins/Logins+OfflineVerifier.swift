extension Logins {
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
    if !isAllowed, let account { isAllowed = try ledger.hasOfflineVerifier(account) }
    guard isAllowed else { return nil }
    return await OfflineVerifier.make(of: password, salt: ledger.random.bytes(16))
  }
}
