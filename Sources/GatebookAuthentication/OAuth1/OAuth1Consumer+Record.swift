internal import GatebookCrypto
package import GatebookEvents

extension OAuth1Consumer {
  /// Refuses what no service can have given out.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard !key.isEmpty else {
      throw .setting("consumer", "its key is empty.", remedy: "Give the consumer key.")
    }
    if case .rsaSHA1 = signature { return }
    guard !secret.isEmpty, secret.withBytes({ String(validating: $0, as: UTF8.self) }) != nil
    else {
      throw .setting(
        "consumer", "its secret is empty or not UTF-8.", remedy: "Give the consumer secret.")
    }
  }
}

extension OAuth1Consumer: StoredRecord {
  /// Key and secret of the application.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let key = try facts.required("key", kept?.key)
    let privateKey = facts.optional("privateKey", kept?.signature.privateKey)
    let secret = try facts.required("secret", kept?.secret)
    let name = try facts.required("signature", kept?.signature.name)
    let known: [OAuth1Signature] =
      [.hmacSHA1, .hmacSHA256, .plaintext] + (privateKey.map { [.rsaSHA1($0)] } ?? [])
    guard let signature = known.first(where: { $0.name == name }) else { throw Unreadable() }
    self.init(key: key, secret: secret, signature: signature)
  }
}

extension OAuth1Signature {
  fileprivate var privateKey: RSAKey? {
    if case .rsaSHA1(let key) = self { key } else { nil }
  }
}
