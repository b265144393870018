/// A login that waits for the person, as the vault keeps it under the attempt's own key.
struct WaitingLogin: Sendable {
  /// What the person's turn is.
  enum Awaited: Sendable {
    /// A page, whose redirect a browser brings.
    case redirect(AwaitedRedirect, page: HTTPURL)
    /// A code, which is entered on another device.
    case code(DeviceCode)
  }

  var attempt: LoginAttempt
  let method: String
  let awaited: Awaited
  var deadline: Timestamp
  var options: LoginOptions
  /// What the method's machine needs to continue.
  var machine: Facts

  /// The redirect that it waits for; `nil` where it waits for a code.
  var redirect: AwaitedRedirect? {
    if case .redirect(let redirect, _) = awaited { redirect } else { nil }
  }

  /// The page on which the person's turn is.
  var page: HTTPURL {
    switch awaited {
    case .redirect(_, let page): page
    case .code(let code): code.page
    }
  }

  /// The code with the life that it has yet; `nil` where a redirect is awaited.
  func code(at now: Timestamp) -> DeviceCode? {
    guard case .code(let code) = awaited else { return nil }
    return DeviceCode(
      userCode: code.userCode, page: code.page, completePage: code.completePage,
      lifetime: max(.zero, deadline - now))
  }

  /// What the app may know of it.
  func pending(at now: Timestamp) -> PendingLogin {
    PendingLogin(
      id: attempt.session, page: page, redirectURI: redirect?.uri ?? "", code: code(at: now),
      deadline: deadline, method: method, server: attempt.typed.server,
      savesCredentials: options.saveCredentials, label: options.label)
  }

  /// The login for the one account that it must be of; `nil`: as it began.
  func of(_ account: AccountID?) throws(GatebookError) -> WaitingLogin {
    guard let account else { return self }
    guard options.account ?? account == account else { throw Self.begunForAnother }
    var login = self
    login.options.account = account
    login.attempt.required = account
    return login
  }

  private static let begunForAnother = GatebookError(
    .configurationInvalid, "The login was begun for another account.",
    kept: "The login keeps waiting.",
    remedy: "Finish it for that account, or begin one for this account.")

  /// What keeps it in the vault.
  var kept: Append.VaultChange {
    .keepAttempt(attempt.session, deadline: deadline, content: encoded)
  }

  /// The facts of the challenge that the page, or the code, is to the person.
  var challenge: AskedChallenge {
    AskedChallenge(scheme: redirect == nil ? "device" : "redirect", round: 1)
  }

  /// What its end is when its time is over.
  var timedOut: GatebookError {
    redirect == nil
      ? GatebookError(
        .challengeTimedOut, "The code was not entered in time.", kept: "No session was changed.",
        remedy: "Log in again.")
      : WaitingLogins.timedOut
  }

  /// The machine that continues.
  ///
  /// - Parameters:
  ///   - kept: What is kept where this version has none such.
  ///   - remedy: What helps then.
  /// - Returns: The machine.
  /// - Throws: `storage.damaged` for a login that another version began.
  func restored(
    kept: String, remedy: String
  ) throws(GatebookError) -> any RedirectAuthenticator {
    if let machine = RedirectAuthenticators.decode(method: method, record: machine) {
      return machine
    }
    throw GatebookError(
      .storageDamaged, "This version of Gatebook cannot read the waiting login.", kept: kept,
      remedy: remedy)
  }
}

extension WaitingLogin: StoredRecord {
  /// What the login needs to continue; its ID and its deadline are stored beside the record.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let former: DeviceCode? = if case .code(let code)? = kept?.awaited { code } else { nil }
    attempt = try facts.required("attempt", kept?.attempt)
    let completePage = facts.optional("completePage", former?.completePage)
    machine = try facts.required("machine", kept?.machine)
    method = try facts.required("method", kept?.method)
    options = try facts.required("options", kept?.options)
    let page = try facts.required("page", kept?.page)
    if let redirect = facts.optional("redirect", kept?.redirect) {
      awaited = .redirect(redirect, page: page)
    } else {
      let userCode = try facts.required("userCode", former?.userCode)
      awaited = .code(
        DeviceCode(
          userCode: userCode, page: page, completePage: completePage, lifetime: .zero))
    }
    deadline = kept?.deadline ?? Timestamp(rawValue: 0)
    attempt.required = options.account
  }

  /// Reads what the vault keeps; `nil` for what is no waiting login.
  init?(_ kept: Attempt) {
    self.init(kept.content)
    attempt.session = kept.session
    deadline = kept.deadline
  }
}
