extension SessionBook {
  /// What was set when an account last logged in.
  ///
  /// - Parameter account: The account, logged out or not.
  /// - Returns: The settings; `nil` for a method that has none beside server and name.
  /// - Throws: `configuration.invalid` for an unknown account, `key` and `storage` failures.
  public func savedSettings(of account: AccountID) throws(GatebookError) -> SavedSettings? {
    let trust = try trust(of: account)
    guard let bytes = try reader.secret(of: account, purpose: Purpose.settings) else { return nil }
    guard let settings = SavedSettings(bytes, trust: trust) else {
      throw GatebookError(
        .storageDamaged, "The account's settings cannot be read by this Gatebook.",
        kept: "The account and its session are kept.",
        remedy: "Use the Gatebook that logged in, or a newer one.")
    }
    return settings
  }
}
