/// A server in front of a fake portal that asks for HTTP Basic or Digest of its own.
///
/// Digest is RFC 7616 with `qop="auth"`: a nonce counts upwards, `stale=true` asks for a new one,
/// and an answer that was let through proves the server in `Authentication-Info`.
public struct FakePortalFront: Hashable, Sendable {
  /// How it wants to be answered.
  public enum Scheme: String, CaseIterable, Sendable {
    /// RFC 7617.
    case basic
    /// RFC 7616 with MD5.
    case md5
    /// RFC 7616 with SHA-256.
    case sha256
  }

  /// The realm that its challenge names.
  public var realm: String
  /// The name it wants.
  public var name: String
  /// The password it wants.
  public var password: String
  /// What it offers, in the order of its challenges.
  public var schemes: [Scheme]
  /// How many answers a Digest nonce is good for before it is stale; `nil` for any number.
  public var nonceUses: Int?

  /// Paths that it lets nobody through to, however right the answer is.
  public var closedPaths: Set<String> = []

  /// Makes a front.
  ///
  /// - Parameters:
  ///   - realm: The realm that its challenge names.
  ///   - name: The name it wants.
  ///   - password: The password it wants.
  ///   - schemes: What it offers, in the order of its challenges.
  ///   - nonceUses: How many answers a Digest nonce is good for; `nil` for any number.
  public init(
    realm: String = "Gatebook fake front", name: String, password: String,
    schemes: [Scheme] = [.basic], nonceUses: Int? = nil
  ) {
    self.realm = realm
    self.name = name
    self.password = password
    self.schemes = schemes
    self.nonceUses = nonceUses
  }
}

extension FakePortalFront.Scheme {
  /// What a Digest challenge calls its hash; `nil` for Basic.
  var algorithm: String? {
    switch self {
    case .basic: nil
    case .md5: "MD5"
    case .sha256: "SHA-256"
    }
  }

  /// The hash of texts with colons between them, as Digest joins them.
  func hash(_ parts: String...) -> String {
    (self == .md5 ? PlainHash.md5 : .sha256).hex(parts.joined(separator: ":"))
  }
}
