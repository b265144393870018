/// The options of a login.
public struct LoginOptions: Hashable, Sendable {
  /// Whether Gatebook may save credentials: to log in again automatically, also after a logout, and, after a
  /// login with a password, to resume the account offline with it.
  ///
  /// See ``SessionBook/restore(_:password:)``.
  ///
  /// Saved credentials are a password, a refresh token or a key that signs. A login that gives only an access
  /// token or cookies, such as one on a page whose server issues no refresh token, saves nothing: see
  /// ``SessionBook/hasSavedLogin(_:)``.
  ///
  /// Source: Login Screenlet, "saveCredentials" (false unless set).
  public var saveCredentials = false
  /// A label for the account, if it has none; `SessionBook.rename` changes it.
  public var label: String?
  /// The account that the login must be for; `nil` for any.
  ///
  /// The login of a different user fails with `identity.mismatch`: Gatebook ends it at the server and keeps
  /// nothing of it. An authorization manager that is made with it belongs to this account.
  public var account: AccountID?
  /// Whether secrets may be sent to another machine without TLS; this is recorded.
  public var allowsCleartext = false
  /// Further origins that the account's credentials may be sent to.
  public var origins: [Origin] = []
  /// Which TLS servers are trusted.
  ///
  /// For a known account, each part that is not set here is kept: the authorities, the pins, the client
  /// certificate, and the keys that were accepted for other servers.
  public var trust: Trust = .system
  /// Whether the account's existing trust is kept where ``trust`` does not replace it.
  ///
  /// `false` trusts only what ``trust`` says.
  public var keepsTrust = true
  /// Notes of an app for ``SavedSettings``, by names of its own, such as the path of the file with a client's
  /// secret; never a secret itself.
  public var notes: [String: String] = [:]
  /// Whether the account becomes the current one.
  public var becomesCurrent = true
  /// How long a login waits for the redirect from the server's page.
  public var redirectLimit: Duration = .seconds(600)

  /// How long the session may be used without the server confirming it; `nil` for no limit.
  ///
  /// After that, the session ends as `offlineTooLong` unless the server confirms it. The limit is in the log
  /// and applies to every process that opens the book, until the next login of the account.
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
  ///   - keepsTrust: Whether the account's existing trust is kept where `trust` does not replace it.
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
    // Whoever names a key for a server names the only one: an older decision gives way.
    let named = Set(trust.exceptions.map { "\($0.host):\($0.port)" })
    options.trust = trust.accepting(
      kept.exceptions.filter { !named.contains("\($0.host):\($0.port)") })
    return options
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let saves = record["saveCredentials"]?.bool,
      let allowsCleartext = record["allowsCleartext"]?.bool,
      let origins = record["origins"]?.list,
      let trust = record["trust"]?.object.flatMap({ Trust(record: $0) }),
      let becomesCurrent = record["becomesCurrent"]?.bool
    else { return nil }
    saveCredentials = saves
    label = record["label"]?.text
    account = record["account"]?.text.flatMap { AccountID($0) }
    self.allowsCleartext = allowsCleartext
    self.origins = origins.compactMap { $0.text.flatMap { HTTPURL($0) }?.origin }
    self.trust = trust
    self.becomesCurrent = becomesCurrent
    // Logins that began to wait before this was kept do without it.
    if let limit = record["redirectLimitUs"]?.integer { redirectLimit = .microseconds(limit) }
    offlineLimit = record["offlineLimitUs"]?.integer.map { .microseconds($0) }
    keepsTrust = record["keepsTrust"]?.bool ?? true
    for name in record["notes"]?.object?.names ?? [] {
      notes[name] = record["notes"]?.object?[name]?.text
    }
  }

  /// The options for the vault, while a login waits and with the account's settings.
  package var record: Facts {
    [
      "account": .optional(account?.description), "allowsCleartext": .bool(allowsCleartext),
      "becomesCurrent": .bool(becomesCurrent), "keepsTrust": keepsTrust ? nil : false,
      "label": .optional(label), "notes": notes.isEmpty ? nil : .object(notesRecord),
      "offlineLimitUs": .optional(offlineLimit?.microseconds),
      "origins": .list(origins.map { .text($0.description) }),
      "redirectLimitUs": .integer(redirectLimit.microseconds),
      "saveCredentials": .bool(saveCredentials), "trust": .object(trust.record),
    ]
  }

  private var notesRecord: Facts {
    var facts = Facts()
    for (name, note) in notes { facts[name] = .text(note) }
    return facts
  }
}
