/// What the secrets of an account in the vault are for.
enum Purpose {
  /// What resumes the session: the method's proof, trust and origins.
  static let session = "session"
  /// The account's cookies.
  static let cookies = "cookies"
  /// Which TLS servers the account trusts; it outlives its sessions.
  static let trust = "trust"
  /// What the app gave for challenges for good; it outlives the account's sessions.
  static let challenges = "challenges"
  /// What the server refused without a word: perhaps for the client's sake, so it may be tried
  /// again by hand until the next login.
  static let refused = "refused"
  /// What a server wants of the login before it takes a request; it ends with the session.
  static let stepUp = "stepUp"
  /// Credentials that may log in again automatically, with the user's permission.
  static let credentials = "credentials"
  /// What checks the password offline, by the same permission.
  static let offline = "offline"
  /// The client registration and key pair at a MobileFirst server; they survive logouts.
  static let registration = "registration"
  /// What the last login was asked with; it outlives the session and holds no secrets but those in
  /// URLs.
  static let settings = "settings"
}

extension Append.VaultChange {
  /// Destroys the secrets of an account's session: they go with the event that ends it.
  static func endSession(of account: AccountID) -> [Append.VaultChange] {
    [Purpose.session, Purpose.cookies, Purpose.stepUp].map { .remove(account, purpose: $0) }
  }
}
