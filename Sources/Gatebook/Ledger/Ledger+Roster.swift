extension Ledger {
  /// Makes an account the current one.
  func switchAccount(to account: AccountID) async throws(GatebookError) -> SessionContext {
    let context = try context(of: account)
    guard !context.isCurrent else { return context }
    if try hasLostItsSecret(context) {
      throw GatebookError(
        .sessionRefused, "The secret of the account's session is missing from the book.",
        kept: "The current account is the same as before.", remedy: "Log in again.")
    }
    try await commitUnlessCancelled(Append([try switching(to: account)]))
    return try self.context(of: account)
  }

  private func hasLostItsSecret(_ context: SessionContext) throws(GatebookError) -> Bool {
    guard context.state.isUsable else { return context.state == .needsLogin(.secretMissing) }
    return try reader.secret(of: context.account, purpose: Purpose.session) == nil
  }

  /// Gives an account a label.
  func rename(
    _ account: AccountID, to label: String
  ) async throws(GatebookError) -> SessionContext {
    let context = try context(of: account)
    try checkLabel(label, of: account)
    guard context.label != .known(label) else { return context }
    try await commitUnlessCancelled(
      Append([
        ProposedEvent(
          AccountRenamed(), account: account,
          personal: AccountRenamed.Personal(label: label).facts)
      ]))
    return try self.context(of: account)
  }

  /// That an account is the current one from now on; `nil` for none.
  func switching(
    to account: AccountID?, cause: ProposedEvent.Cause = .none
  ) throws(GatebookError) -> ProposedEvent {
    var switched = AccountSwitched()
    (switched.from, switched.to) = (try reader.current(), account)
    return ProposedEvent(switched, account: account, cause: cause)
  }

  /// Refuses what is no label, or another account's.
  func checkLabel(_ label: String, of account: AccountID?) throws(GatebookError) {
    try Self.checkForm(of: label)
    guard try !isLabel(label, ofOtherThan: account) else { throw Self.labelTaken }
  }

  /// Refuses an invalid label, or the label of an account at another server: the user of this login
  /// cannot be that account's.
  func checkLabel(_ label: String, ofSomebodyAt server: Origin) throws(GatebookError) {
    try Self.checkForm(of: label)
    for other in try reader.accounts() where other.label?.value == label {
      guard other.server == server.description else { throw Self.labelTaken }
    }
  }

  /// Whether a label is another account's.
  func isLabel(
    _ label: String, ofOtherThan account: AccountID?
  ) throws(GatebookError) -> Bool {
    try reader.accounts().contains { $0.account != account && $0.label?.value == label }
  }

  private static func checkForm(of label: String) throws(GatebookError) {
    let isPrintable = label.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard (1...64).contains(label.count), isPrintable,
      !label.allSatisfy({ $0.isASCII && $0.isNumber })
    else {
      throw GatebookError(
        .configurationInvalid,
        "A label has 1 to 64 characters, no control characters, and is not all digits.",
        remedy: "Choose another label.")
    }
  }

  static var labelTaken: GatebookError {
    GatebookError(
      .configurationInvalid, .label, remedy: "Choose another label, or rename that account first."
    ).with(\.setting, "label")
  }
}
