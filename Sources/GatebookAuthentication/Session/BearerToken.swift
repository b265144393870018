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
  /// Whether the server said what it granted, be it nothing.
  private let isGrantKnown: Bool
  /// Whether it is on disk; `false` when the disk was full as it came: it serves, and is written as
  /// soon as there is space.
  public package(set) var isRecorded = true

  init(_ tokens: OAuth2Tokens, since renewed: Moment) {
    value = tokens.access
    expiresAt = tokens.lifetime.map { renewed.wall + $0 }
    isGrantKnown = tokens.scope != nil
    scopes = tokens.scope.map { $0.split(separator: " ").map(String.init) } ?? []
  }

  /// Those of some scopes that the token is not good for, in their order; none where the server did
  /// not say what it granted.
  package func missing(_ wanted: [String]) -> [String] {
    guard isGrantKnown else { return [] }
    // RFC 6749 section 3.3: "case-sensitive strings".
    return wanted.filter { name in !scopes.contains { $0.utf8.elementsEqual(name.utf8) } }
  }
}
