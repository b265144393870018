internal import GatebookCrypto
internal import GatebookEvents

/// The hashes that Digest knows (RFC 7616 section 6.1), the weakest first.
package enum DigestHash: String, Comparable, CaseIterable, Sendable {
  /// For servers that know nothing else.
  case md5 = "MD5"
  /// The one that every new server should know.
  case sha256 = "SHA-256"
  /// SHA-512/256, with initial values of its own: no cut SHA-512.
  case sha512Over256 = "SHA-512-256"

  /// The registered name of the algorithm without `-sess`.
  package var name: String { rawValue }

  /// The number of bytes in a hash.
  package var count: Int { function.count }

  /// Whether this machine computes it.
  package var isAvailable: Bool { function.isAvailable }

  private var function: HashFunction {
    switch self {
    case .md5: .md5
    case .sha256: .sha256
    case .sha512Over256: .sha512Over256
    }
  }

  /// The standard's `H(…)` of parts joined by colons, as lower-case hexadecimal digits.
  func digits(of parts: [[UInt8]]) -> [UInt8] {
    Array(Hex.encode(function.hash(Array(parts.joined(separator: [.colon])))).utf8)
  }

  /// Orders by strength.
  package static func < (left: DigestHash, right: DigestHash) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

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
