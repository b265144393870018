package import GatebookCrypto
package import GatebookEvents

/// HA1: what stands for a password in one realm, and is as good as the password there.
///
/// RFC 7616 section 3.4.2: `H( unq(username) ":" unq(realm) ":" passwd )`, of UTF-8 bytes. The text
/// is taken as it was typed, without normalisation.
package struct DigestKey: Sendable, Equatable {
  /// The realm.
  package let realm: String
  /// The hash that it was made with and answers with.
  package let hash: DigestHash
  /// The hexadecimal digits.
  package let digits: Secret

  /// Makes the key from a password.
  package init(user: String, realm: String, password: Secret, hash: DigestHash) {
    self.realm = realm
    self.hash = hash
    digits = password.withBytes { password in
      var digits = hash.digits(of: [Array(user.utf8), Array(realm.utf8), password])
      return Secret(taking: &digits)
    }
  }

  /// HA1 of a `-sess` algorithm: `H( HA1 ":" unq(nonce-prime) ":" unq(cnonce-prime) )`, of the
  /// nonces of the session's first request.
  package func session(nonce: String, clientNonce: String) -> Secret {
    digits.withBytes { digits in
      var digits = hash.digits(of: [digits, Array(nonce.utf8), Array(clientNonce.utf8)])
      return Secret(taking: &digits)
    }
  }
}

extension DigestKey: StoredRecord {
  /// Realm, algorithm and digits.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    hash = try facts.required("algorithm", kept?.hash)
    let digits = try facts.required("ha1", kept?.digits.text)
    realm = try facts.required("realm", kept?.realm)
    guard let bytes = Hex.decode(digits), bytes.count == hash.count else { throw Unreadable() }
    self.digits = Secret(Hex.encode(bytes))
  }
}

extension DigestHash: Storable {
  /// Reads the name of an algorithm that is not of a session.
  package init?(record: String) {
    guard let algorithm = DigestAlgorithm(name: record), !algorithm.isSession else { return nil }
    self = algorithm.hash
  }

  package var record: String { name }
}
