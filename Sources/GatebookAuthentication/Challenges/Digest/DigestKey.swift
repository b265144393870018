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

extension DigestKey {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let realm = record["realm"]?.text,
      let algorithm = record["algorithm"]?.text.flatMap({ DigestAlgorithm(name: $0) }),
      !algorithm.isSession, let digits = record["ha1"]?.text,
      let bytes = Hex.decode(digits), bytes.count == algorithm.hash.count
    else { return nil }
    self.realm = realm
    hash = algorithm.hash
    self.digits = Secret(Hex.encode(bytes))
  }

  /// Realm, algorithm and digits, for the vault.
  package var record: Facts {
    [
      "algorithm": .text(DigestAlgorithm(hash).name), "ha1": .text(digits.text),
      "realm": .text(realm),
    ]
  }
}
