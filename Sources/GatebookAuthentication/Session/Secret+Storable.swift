package import GatebookCrypto
internal import GatebookEvents

extension Secret: Storable {
  package init?(record: String) { self.init(record) }
  package var record: String { text }
}

/// As PKCS #8 in Base64.
extension P256Key: Storable {
  package init?(record: String) {
    guard let key = Base64.decode(record).flatMap({ try? P256Key(pkcs8: Secret($0)) }) else {
      return nil
    }
    self = key
  }

  package var record: String { pkcs8.withBytes { Base64.encode($0) } }
}

/// As PKCS #8 in Base64.
extension RSAKey: Storable {
  package init?(record: String) {
    guard let key = Base64.decode(record).flatMap({ try? RSAKey(pkcs8: Secret($0)) }) else {
      return nil
    }
    self = key
  }

  package var record: String { pkcs8.withBytes { Base64.encode($0) } }
}
