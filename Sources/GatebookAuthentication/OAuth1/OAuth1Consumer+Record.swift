internal import GatebookCrypto
internal import GatebookEvents

extension OAuth1Consumer {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let key = record["key"]?.text, let secret = record["secret"]?.text,
      let name = record["signature"]?.text
    else { return nil }
    let signature: OAuth1Signature? =
      switch name {
      case OAuth1Signature.hmacSHA1.name: .hmacSHA1
      case OAuth1Signature.hmacSHA256.name: .hmacSHA256
      case OAuth1Signature.plaintext.name: .plaintext
      case "RSA-SHA1":
        record["privateKey"]?.text.flatMap { Base64.decode($0) }
          .flatMap { try? RSAKey(pkcs8: Secret($0)) }.map { .rsaSHA1($0) }
      default: nil
      }
    guard let signature else { return nil }
    self.init(key: key, secret: Secret(secret), signature: signature)
  }

  /// The application for the vault, secrets included.
  var record: Facts {
    var record: Facts = [
      "key": .text(key), "secret": .text(secret.text), "signature": .text(signature.name),
    ]
    if case .rsaSHA1(let key) = signature {
      record["privateKey"] = .text(key.pkcs8.withBytes { Base64.encode($0) })
    }
    return record
  }

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
