internal import GatebookEvents

/// How well a scheme guards the password, in rising order; the strongest on offer is used.
package enum HTTPStrength: Comparable, Sendable {
  /// The password itself travels (RFC 7617).
  case basic
  /// What stands for the password travels (RFC 7616).
  case digest(DigestHash)
}

extension HTTPStrength {
  /// How well the answer to a challenge guards the password; `nil` for a challenge that a name and
  /// a password cannot answer.
  package init?(_ challenge: AuthenticationChallenge) {
    if let digest = DigestChallenge(challenge) {
      self = .digest(digest.algorithm.hash)
    } else if challenge.scheme == "basic", challenge.token68 == nil {
      self = .basic
    } else {
      return nil
    }
  }

  /// Reads what `name` wrote; `nil` for anything else.
  package init?(name: String) {
    if name == Self.basic.name {
      self = .basic
    } else if let hash = DigestAlgorithm(name: name)?.hash {
      self = .digest(hash)
    } else {
      return nil
    }
  }

  /// What people call it, such as `Digest (SHA-256)`.
  var title: String { self == .basic ? name : "Digest (\(name))" }

  /// `Basic`, or the registered name of Digest's hash, such as `SHA-256`.
  package var name: String {
    switch self {
    case .basic: "Basic"
    case .digest(let hash): hash.name
    }
  }
}

/// As its name.
extension HTTPStrength: Storable {
  package init?(record: String) { self.init(name: record) }
  package var record: String { name }
}
