/// The settings of an account's last login: an app can fill in a form or write a command line with
/// them.
///
/// They are encrypted with the account, and kept after the session and after a logout. They hold no
/// secret, except one in the query of a URL: URLs are kept whole.
public struct SavedSettings: Hashable, Sendable {
  /// The login method's name, such as `fcsdk`.
  public let method: String
  /// The parameters of the method, by name: URLs, client, flow, scopes and so on.
  ///
  /// The names are those of the parameters of the method's function in ``LoginMethod``, such as
  /// `url` and `checkURL`; `EventFormat` lists them.
  public let values: Facts
  /// The options of that login, for another one: ``LoginOptions/account`` is the account,
  /// ``LoginOptions/trust`` what it trusts now.
  public let options: LoginOptions

  /// The user name that was typed, or the name for the account; `nil` where the server asks for it.
  public var user: String? { values["user"]?.text }

  /// The gateway of a method that has one, without its header field.
  public var gateway: FCSDKGateway? {
    values["gateway"]?.object.flatMap { FCSDKGateway(record: $0) }
  }

  /// Which TLS servers the account trusts now; `SessionBook.revokeTrust` changes it.
  public var trust: Trust { options.trust }
}

extension SavedSettings {
  /// The same, where nothing is to be saved that logs in again.
  var savingNothing: SavedSettings {
    var options = options
    options.saveCredentials = false
    return SavedSettings(method: method, values: values, options: options)
  }

  /// Reads what `record` wrote; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - bytes: The record.
  ///   - account: Whose it is.
  ///   - trust: What the account trusts; it has a record of its own.
  package init?(_ bytes: [UInt8], of account: AccountID, trust: Trust) {
    guard let facts = Facts(decoding: bytes), let method = facts["method"]?.text,
      let values = facts["settings"]?.object
    else { return nil }
    // Gateways that logged in before other methods kept theirs have no options.
    var options = LoginOptions()
    if let record = facts["options"]?.object {
      guard let kept = LoginOptions(record: record) else { return nil }
      options = kept
    }
    options.account = account
    options.trust = trust
    self.init(method: method, values: values, options: options)
  }

  /// The record of a login's settings.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - values: What it was given.
  ///   - options: How it was made.
  /// - Returns: The record; `nil` where the method says nothing: what was kept stays.
  static func record(_ method: String, _ values: Facts, _ options: LoginOptions) -> Facts? {
    guard !values.isEmpty else { return nil }
    var options = options
    // These have records of their own, or are of that login alone.
    options.account = nil
    options.label = nil
    options.trust = .system
    options.keepsTrust = true
    return [
      "method": .text(method), "options": .object(options.record), "settings": .object(values),
    ]
  }

  /// The record of what a session tells of its login, where nothing else is kept of it.
  static func record(of session: StoredSession, _ state: AccountState?) -> Facts? {
    var options = LoginOptions()
    options.origins = session.origins
    options.allowsCleartext = ([session.proof.origin] + session.origins).contains(
      where: \.isCleartext)
    options.offlineLimit = state?.offline.map { .microseconds($0.limit) }
    return record(type(of: session.proof).method, session.proof.settings, options)
  }
}
