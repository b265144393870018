extension Logins {
  /// Refuses a login that cannot succeed with any password, before the user types one; nothing is
  /// sent.
  static func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try checkCleartext(method, options)
    // A machine is a value: what this one would send is dropped.
    var machine = method.authenticator()
    let start = Input(
      .start, at: SystemClock().now(), random: [UInt8](repeating: 0, count: 64))
    _ = try machine.next(start)
  }

  /// Refuses a login that cannot succeed with any password in this book, before the user types one;
  /// nothing is sent.
  func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try Self.checkLogIn(method, options: options)
    try checkNames(method, options)
  }

  /// Refuses a login at a MobileFirst server that cannot succeed with any answer; nothing is sent.
  static func checkLogIn(
    _ app: MobileFirstApp, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try checkCleartext(app.origins + options.origins, options)
    try app.check()
  }

  /// Refuses an account and a label that a login must not have.
  func checkNames(_ method: LoginMethod, _ options: LoginOptions) throws(GatebookError) {
    if let account = options.account { try ledger.checkLiving(account) }
    guard let label = options.label else { return }
    if let account = options.account {
      try ledger.checkLabel(label, of: account)
    } else if method.person.loginName.isEmpty {
      // Who it is, the server tells: only then is it known whose the label is.
      try ledger.checkLabel(label, ofSomebodyAt: method.person.server)
    } else {
      try ledger.checkLabel(label, of: try knownAccount(method.person))
    }
  }
}
