/// How a login is to be made and kept.
public struct LoginOptions: Sendable {
  /// Whether the account may later log in again by itself, also after a logout; and, where the login
  /// was by a password, whether that password may resume it offline: see
  /// ``SessionBook/restore(_:password:)``.
  ///
  /// What logs in by itself is a password, a refresh token or a signature. A login that leaves nothing
  /// but an access token or cookies, such as one on a page whose server gives no refresh token, saves
  /// nothing: ``SessionBook/hasSavedLogin(_:)`` says so.
  ///
  /// Source: Login Screenlet, "saveCredentials" (false unless set).
  public var saveCredentials = false
  /// A name for the account; see `SessionBook.rename`.
  public var label: String?
  /// Whose login it must be; `nil` for anybody's.
  ///
  /// Another user's is rejected as `identity.mismatch`: its session is ended at the server, and
  /// nothing of it is kept. An authorization manager that is made with it is of this account.
  public var account: AccountID?
  /// Whether a password may go to another machine without TLS; the permission is recorded.
  public var allowsCleartext = false
  /// Further origins that the account's credentials may go to.
  public var origins: [Origin] = []
  /// Which TLS servers are trusted.
  public var trust: Trust = .system
  /// Whether the account becomes the current one.
  public var becomesCurrent = true
  /// How long a login waits for the redirect that ends the person's visit to the server's page.
  public var redirectLimit: Duration = .seconds(600)

  /// How long the session may be used without the server confirming it; `nil` for as long as it
  /// lives.
  ///
  /// After that it ends as `offlineTooLong` unless the server, asked then, confirms it. The limit is in
  /// the log and holds for every process that opens the book, until the next login of the account.
  public var offlineLimit: Duration?

  /// Makes the defaults.
  public init() {}
}

extension LoginOptions {
  /// The options with what the account has accepted before, so that nobody is asked twice.
  func trusting(_ kept: Trust) -> LoginOptions {
    var options = self
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
  }

  /// The options for the vault, while a login waits.
  package var record: Facts {
    [
      "account": .optional(account?.description), "allowsCleartext": .bool(allowsCleartext),
      "becomesCurrent": .bool(becomesCurrent),
      "label": .optional(label), "offlineLimitUs": .optional(offlineLimit?.microseconds),
      "origins": .list(origins.map { .text($0.description) }),
      "redirectLimitUs": .integer(redirectLimit.microseconds),
      "saveCredentials": .bool(saveCredentials), "trust": .object(trust.record),
    ]
  }
}
