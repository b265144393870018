/// The options of a login.
public struct LoginOptions: Hashable, Sendable {
  /// Whether Gatebook may save credentials: to log in again automatically, also after a logout,
  /// and, after a login with a password, to resume the account offline with it.
  ///
  /// See ``SessionBook/restore(_:password:)``.
  ///
  /// Saved credentials are a password, a refresh token or a key that signs. A login that gives only
  /// an access token or cookies, such as one on a page whose server issues no refresh token, saves
  /// nothing: see ``SessionBook/hasSavedLogin(_:)``.
  ///
  /// Source: Login Screenlet, "saveCredentials" (false unless set).
  public var saveCredentials = false
  /// A label for the account, if it has none; `SessionBook.rename` changes it.
  public var label: String?
  /// The account that the login must be for; `nil` for any.
  ///
  /// The login of a different user fails with `identity.mismatch`: Gatebook ends it at the server
  /// and keeps nothing of it. An authorization manager that is made with it belongs to this
  /// account.
  public var account: AccountID?
  /// Whether secrets may be sent to another machine without TLS; this is recorded.
  public var allowsCleartext = false
  /// Further origins that the account's credentials may be sent to.
  public var origins: [Origin] = []
  /// Which TLS servers are trusted.
  ///
  /// For a known account, each part that is not set here is kept: the authorities, the pins, the
  /// client certificate, and the keys that were accepted for other servers.
  public var trust: Trust = .system
  /// Whether the account's existing trust is kept where ``trust`` does not replace it.
  ///
  /// `false` trusts only what ``trust`` says.
  public var keepsTrust = true
  /// Notes of an app for ``SavedSettings``, by names of its own, such as the path of the file with
  /// a client's secret; never a secret itself.
  public var notes: [String: String] = [:]
  /// Whether the account becomes the current one.
  public var becomesCurrent = true
  /// How long a login waits for the redirect from the server's page.
  public var redirectLimit: Duration = .seconds(600)

  /// How long the session may be used without the server confirming it; `nil` for no limit.
  ///
  /// After that, the session ends as `offlineTooLong` unless the server confirms it. The limit is
  /// in the log and applies to every process that opens the book, until the next login of the
  /// account.
  public var offlineLimit: Duration?

  /// Makes options; each parameter is a property, and has its default unless it is given.
  ///
  /// - Parameters:
  ///   - label: A label for the account, if it has none.
  ///   - saveCredentials: Whether Gatebook may save credentials to log in again.
  ///   - account: The account that the login must be for.
  ///   - allowsCleartext: Whether secrets may be sent to another machine without TLS.
  ///   - origins: Further origins that the account's credentials may be sent to.
  ///   - trust: Which TLS servers are trusted.
  ///   - keepsTrust: Whether the account's existing trust is kept where `trust` does not replace
  ///     it.
  ///   - notes: Notes of the app.
  ///   - becomesCurrent: Whether the account becomes the current one.
  ///   - redirectLimit: How long a login waits for the redirect from the server's page.
  ///   - offlineLimit: How long the session may be used without the server confirming it.
  public init(
    label: String? = nil, saveCredentials: Bool = false, account: AccountID? = nil,
    allowsCleartext: Bool = false, origins: [Origin] = [], trust: Trust = .system,
    keepsTrust: Bool = true, notes: [String: String] = [:], becomesCurrent: Bool = true,
    redirectLimit: Duration = .seconds(600), offlineLimit: Duration? = nil
  ) {
    self.label = label
    self.saveCredentials = saveCredentials
    self.account = account
    self.allowsCleartext = allowsCleartext
    self.origins = origins
    self.trust = trust
    self.keepsTrust = keepsTrust
    self.notes = notes
    self.becomesCurrent = becomesCurrent
    self.redirectLimit = redirectLimit
    self.offlineLimit = offlineLimit
  }
}

extension LoginOptions {
  /// The options with what the account has accepted before, so that nobody is asked twice.
  func trusting(_ kept: Trust) -> LoginOptions {
    guard keepsTrust else { return self }
    var options = self
    // To accept one defect takes no other protection away: what is not replaced stays.
    var trust = trust
    if trust.authorities == .system { trust.authorities = kept.authorities }
    if trust.pins.isEmpty { trust.pins = kept.pins }
    if trust.client == nil { trust.client = kept.client }
    // A key that is named for a server is the only one: it replaces an older decision.
    let named = Set(trust.exceptions.map { "\($0.host):\($0.port)" })
    options.trust = trust.accepting(
      kept.exceptions.filter { !named.contains("\($0.host):\($0.port)") })
    return options
  }
}

extension LoginOptions: StoredRecord {
  /// The options for the vault, while a login waits and with the account's settings.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    account = facts.optional("account", kept?.account)
    allowsCleartext = try facts.required("allowsCleartext", kept?.allowsCleartext)
    becomesCurrent = try facts.required("becomesCurrent", kept?.becomesCurrent)
    keepsTrust = facts.optional("keepsTrust", kept?.keepsTrust, unless: true)
    label = facts.optional("label", kept?.label)
    notes = facts.optional("notes", kept?.notes, unless: [:])
    offlineLimit = facts.optional("offlineLimitUs", kept?.offlineLimit)
    origins = try facts.required("origins", kept?.origins)
    // Logins that began to wait before this was kept do without it.
    if let limit = facts.optional("redirectLimitUs", kept?.redirectLimit) { redirectLimit = limit }
    saveCredentials = try facts.required("saveCredentials", kept?.saveCredentials)
    trust = try facts.required("trust", kept?.trust)
  }
}
