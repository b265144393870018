extension Logins {
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

  /// Refuses to send what is as good as the session without TLS, unless the app allows it (rule 8).
  ///
  /// - Parameters:
  ///   - method: The login.
  ///   - options: What is allowed, and which other origins get the session.
  /// - Throws: `login.cleartext`; a loopback host needs no TLS.
  static func checkCleartext(
    _ method: LoginMethod, _ options: LoginOptions
  ) throws(GatebookError) {
    // A session's cookies are as good as its password: other origins get them too.
    let origins = [method.origin] + options.origins
    guard !options.allowsCleartext, let origin = origins.first(where: \.isCleartext) else { return }
    guard !method.isDiscovered || origin != method.person.server else {
      var error = GatebookError(
        .loginCleartext, "The issuer \(origin) does not use TLS.", kept: "Nothing was sent.",
        remedy: "Give an issuer with https. Only an issuer on this machine may do without TLS.")
      error.setting = "issuer"
      throw error
    }
    let secrets = method.password == nil ? "codes and tokens" : "password"
    let what = origin == method.origin ? secrets : "session"
    throw GatebookError(
      .loginCleartext, "The \(what) would be sent to \(origin) without TLS.",
      kept: "Nothing was sent.",
      remedy: "Use https, or allow it with `LoginOptions.allowsCleartext`; this is recorded.")
  }

  /// Refuses servers to which passwords and tokens would go readable by everybody on the way.
  static func checkCleartext(
    _ origins: [Origin], _ options: LoginOptions
  ) throws(GatebookError) {
    guard !options.allowsCleartext, let origin = origins.first(where: \.isCleartext) else { return }
    throw GatebookError(
      .loginCleartext, "Passwords and tokens would be sent to \(origin) without TLS.",
      kept: "Nothing was sent.",
      remedy: "Use https, or allow it with `LoginOptions.allowsCleartext`; this is recorded.")
  }
}
