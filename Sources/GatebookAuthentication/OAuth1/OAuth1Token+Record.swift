internal import GatebookCrypto
internal import GatebookEvents

extension OAuth1Token {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let token = record["token"]?.text, !token.isEmpty, let secret = record["secret"]?.text
    else { return nil }
    self.init(token: Secret(token), secret: Secret(secret))
  }

  /// The token for the vault.
  var record: Facts { ["secret": .text(secret.text), "token": .text(token.text)] }
}
