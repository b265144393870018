extension SessionBook {
  /// Refuses a login that cannot succeed with any password, before the user types one; nothing is sent.
  ///
  /// - Parameters:
  ///   - method: How to log in, with any text instead of each secret.
  ///   - options: The options of the login.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for what the method itself refuses, such
  ///   as a user name that HTTP Basic cannot carry.
  public static func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try checkCleartext(method, options)
    // A machine is a value: what this one would send is dropped.
    var machine = method.authenticator()
    let start = Input(
      .start, at: SystemClock().now(), random: [UInt8](repeating: 0, count: 64))
    _ = try machine.next(start)
  }

  /// Refuses a login that cannot succeed with any password in this book, before the user types one; nothing is
  /// sent.
  ///
  /// - Parameters:
  ///   - method: How to log in, with any text instead of each secret.
  ///   - options: The options of the login.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for what the method itself refuses, for an account that is unknown or erased, and for a label
  ///   that is another account's.
  public func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try Self.checkLogIn(method, options: options)
    try checkNames(method, options)
  }

  /// Refuses a login at a MobileFirst server that cannot succeed with any answer; nothing is sent.
  ///
  /// - Parameters:
  ///   - app: The app as the server knows it.
  ///   - options: How logins are made and kept.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for settings that contradict each other.
  public static func checkLogIn(
    _ app: MobileFirstApp, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try checkCleartext(app.origins + options.origins, options)
    try app.check()
  }

  /// Refuses an account and a label that a login must not have.
  func checkNames(_ method: LoginMethod, _ options: LoginOptions) throws(GatebookError) {
    if let account = options.account { try checkLiving(account) }
    guard let label = options.label else { return }
    if let account = options.account {
      try checkLabel(label, of: account)
    } else if method.person.loginName.isEmpty {
      // Who it is, the server tells: only then is it known whose the label is.
      try checkLabel(label, ofSomebodyAt: method.person.server)
    } else {
      try checkLabel(label, of: try knownAccount(method.person))
    }
  }
}
