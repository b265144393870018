/// A person whose accounts a question asks for, by a name.
///
/// It holds pseudonyms only: neither the name nor the key.
///
/// ```swift
/// let ada = FleetPerson("ada@example.com", key)
/// try await reader.sessions(FleetScope(person: ada), at: now) { page in ... }
/// ```
public struct FleetPerson: Hashable, Sendable {
  /// The pseudonyms of the name for each purpose, 32 bytes each.
  let pseudonyms: [[UInt8]]
  /// Tells their key from another one.
  let key: [UInt8]

  /// Makes the pseudonyms of a name.
  ///
  /// - Parameters:
  ///   - name: The server's name or id of the user, or the name that was typed at a login: exactly
  ///     as the book has it.
  ///   - key: The key of the fleet's pseudonyms.
  public init(_ name: String, _ key: PseudonymKey) {
    pseudonyms = PseudonymPurpose.allCases.map { key.pseudonym(of: name, as: $0) }
    self.key = key.fingerprint
  }
}
