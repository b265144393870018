extension Ledger {
  /// The settings of an account's last login.
  func savedSettings(of account: AccountID) throws(GatebookError) -> SavedSettings? {
    _ = try context(of: account)
    return try reader.savedSettings(of: account)
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
