/// How a login is to be made and kept.
public struct LoginOptions: Hashable, Sendable {
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
  /// A label for the account, if it has none; `SessionBook.rename` changes one.
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
  ///
  /// Of a known account each part that is not set here stays as the account has it: the authorities,
  /// the pins, the client certificate, and the keys that were accepted for other servers.
  public var trust: Trust = .system
  /// Whether what the account trusts already stays where ``trust`` does not replace it.
  ///
  /// `false` trusts what ``trust`` says, and nothing else.
  public var keepsTrust = true
  /// What an app wants to find again in ``SavedSettings``, by names of its own, such as the path of
  /// the file that holds a client's secret; never a secret itself.
  public var notes: [String: String] = [:]
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
