/// What the secrets of an account in the vault are for.
enum Purpose {
  /// What resumes the session: the method's proof, trust and origins.
  static let session = "session"
  /// The account's cookies.
  static let cookies = "cookies"
  /// What may log in again by itself, by the user's permission.
  static let credentials = "credentials"
  /// The client registration and key pair at a MobileFirst server; they survive logouts.
  static let registration = "registration"
}
