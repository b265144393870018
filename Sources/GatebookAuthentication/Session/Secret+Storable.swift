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

extension Secret {
  /// The secret as text, for a request or the vault's record; nobody wipes it.
  var text: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Refuses what would only be a useless attempt that a server counts.
  ///
  /// - Throws: `configuration.invalid` for an empty password or one that is not UTF-8.
  func checkAsPassword() throws(GatebookError) {
    guard !isEmpty else {
      throw .setting("password", "it is empty.", remedy: "Give the password.")
    }
    guard withBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
      throw .setting("password", "it is not UTF-8.", remedy: "Give the password in UTF-8.")
    }
  }
}

extension String {
  /// Refuses a setting that is empty.
  ///
  /// - Parameters:
  ///   - name: The setting's name.
  ///   - remedy: What to do.
  /// - Throws: `configuration.invalid`.
  func checkAsSetting(_ name: String, remedy: String) throws(GatebookError) {
    guard !isEmpty else { throw .setting(name, "it is empty.", remedy: remedy) }
  }
}
