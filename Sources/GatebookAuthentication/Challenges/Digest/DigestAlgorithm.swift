/// The value of `algorithm` (RFC 7616 sections 3.3 and 6.1).
package struct DigestAlgorithm: Hashable, Sendable {
  /// The hash that all values are made with.
  package let hash: DigestHash
  /// Whether HA1 is bound to the first nonces of a session: the names that end in `-sess`.
  package let isSession: Bool

  /// Makes an algorithm.
  package init(_ hash: DigestHash, isSession: Bool = false) {
    self.hash = hash
    self.isSession = isSession
  }

  /// Reads a name, without regard to case; `nil` for an unknown one: "If the algorithm is not
  /// understood, the challenge should be ignored" (section 3.3).
  package init?(name: String) {
    let all = DigestHash.allCases.flatMap { hash in
      [false, true].map { DigestAlgorithm(hash, isSession: $0) }
    }
    guard let known = all.first(where: { $0.name.equalsIgnoringCase(name) }) else { return nil }
    self = known
  }

  /// The registered name, such as `SHA-512-256-sess`.
  package var name: String { isSession ? hash.name + "-sess" : hash.name }
}
