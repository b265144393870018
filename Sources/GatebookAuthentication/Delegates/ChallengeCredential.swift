public import GatebookCrypto

/// A user name and a password that an app gives for a challenge.
public struct ChallengeCredential: Sendable {
  /// How long the book keeps a credential; the names are those of `URLCredential.Persistence`.
  public enum Persistence: String, Sendable {
    /// For this request only.
    case none
    /// Until the session ends, encrypted.
    case forSession
    /// Until it is removed, encrypted, also for later sessions of the account.
    case permanent
  }

  /// The user name.
  public var user: String
  /// The password.
  public var password: Secret
  /// How long it is kept.
  public var persistence: Persistence

  /// Makes a credential.
  public init(user: String, password: Secret, persistence: Persistence = .none) {
    self.user = user
    self.password = password
    self.persistence = persistence
  }
}
