/// What a Digest answer protects: the values of `qop` (RFC 7616 section 3.3).
package enum DigestQuality: String, Sendable, CaseIterable {
  /// Method and URI.
  case authentication = "auth"
  /// The body too.
  case integrity = "auth-int"

  /// Reads one value, without regard to case; `nil` for an unknown one.
  init?(name: some StringProtocol) {
    guard let known = Self.allCases.first(where: { $0.rawValue.equalsIgnoringCase(name) }) else {
      return nil
    }
    self = known
  }
}
