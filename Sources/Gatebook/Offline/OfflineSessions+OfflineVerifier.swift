extension OfflineSessions {
  /// What checks an account's password offline.
  func offlineVerifier(of account: AccountID) throws(GatebookError) -> OfflineVerifier? {
    guard let bytes = try ledger.reader.secret(of: account, purpose: Purpose.offline) else {
      return nil
    }
    guard let verifier = OfflineVerifier(bytes) else {
      throw GatebookError(
        .storageDamaged,
        "This version of Gatebook cannot read the data that checks the account's password offline.",
        kept: "The session is kept.", remedy: "Log in with the password at the server.")
    }
    return verifier
  }
}
