public import GatebookCrypto
public import GatebookEvents

/// A token that authorises requests (RFC 6750), for apps that send them by themselves.
public struct BearerToken: Sendable {
  /// The token; the secret of the account's session.
  public let value: Secret
  /// When it ends, by the wall clock; `nil` when the server did not say: use it until it is refused.
  public let expiresAt: Timestamp?
  /// What it may do; empty when the server did not say.
  public let scopes: [String]
  /// Whether it is on disk; `false` when the disk was full as it came: it serves, and is written as
  /// soon as there is space.
  public package(set) var isRecorded = true

  init(_ tokens: OAuth2Tokens, since renewed: Moment) {
    value = tokens.access
    expiresAt = tokens.lifetime.map { renewed.wall + $0 }
    scopes = tokens.scope.map { $0.split(separator: " ").map(String.init) } ?? []
  }
}
