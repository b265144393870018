internal import GatebookCrypto
internal import GatebookTestSupport

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
    (self == .md5 ? HashFunction.md5 : .sha256).hex(parts.joined(separator: ":"))
  }
}

/// What a server in front makes of a request.
enum FrontVerdict {
  /// It is passed to the portal, and its answer gets this field.
  case admitted(LoopbackFields.Field?)
  /// It goes no further.
  case refused(LoopbackReply)

  /// Judges a request and keeps count of the nonces.
  static func of(
    _ request: LoopbackRequest, _ front: FakePortalFront, _ state: inout PortalState
  ) -> FrontVerdict {
    guard !front.closedPaths.contains(request.path) else {
      return refusal(front, isStale: false, &state)
    }
    if front.schemes.contains(.basic), let credentials = request.basicCredentials,
      credentials == (front.name, front.password)
    {
      return .admitted(nil)
    }
    guard let answer = FakeDigestAnswer(request), answer.isRight(for: request, front) else {
      return refusal(front, isStale: false, &state)
    }
    // RFC 7616 section 3.4: the count of a nonce rises, so that a repeated answer is seen; section
    // 3.3: a client that knows the password and used an old nonce gets `stale`.
    guard let uses = state.frontNonces[answer.nonce], answer.count > uses.last,
      uses.count < front.nonceUses ?? .max
    else { return refusal(front, isStale: true, &state) }
    state.frontNonces[answer.nonce] = (answer.count, uses.count + 1)
    return .admitted(LoopbackFields.Field("Authentication-Info", answer.proof(by: front)))
  }

  private static func refusal(
    _ front: FakePortalFront, isStale: Bool, _ state: inout PortalState
  ) -> FrontVerdict {
    var reply = PortalState.page.error(401, "This server wants to know you first.")
    for scheme in front.schemes {
      guard let algorithm = scheme.algorithm else {
        reply = reply.with("WWW-Authenticate", "Basic realm=\"\(front.realm)\"")
        continue
      }
      let nonce = state.random.text(32, of: "0123456789abcdef")
      state.frontNonces[nonce] = (0, 0)
      let stale = isStale ? ", stale=true" : ""
      reply = reply.with(
        "WWW-Authenticate",
        "Digest realm=\"\(front.realm)\", qop=\"auth\", algorithm=\(algorithm), "
          + "nonce=\"\(nonce)\", opaque=\"gatebook\"\(stale)")
    }
    return .refused(reply)
  }
}
