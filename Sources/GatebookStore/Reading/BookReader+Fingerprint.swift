package import GatebookCrypto
package import GatebookEvents

extension BookReader {
  /// Makes the data key of an account to be, wrapped: for its `Append.NewAccount`.
  ///
  /// So secrets that are stored in one transaction with the account can hold fingerprints already.
  package func newKey(of account: AccountID) throws(GatebookError) -> [UInt8] {
    guard let sealer else { throw Self.noKey }
    return sealer.wrapNewKey(of: account)
  }

  /// Tells a random secret from another one of the same account without showing it.
  ///
  /// - Parameters:
  ///   - secret: Never a password, nor what people type: it could be guessed.
  ///   - account: The account.
  ///   - key: What `newKey(of:)` made; `nil` for an account that is in the book.
  /// - Returns: 32 hexadecimal digits ("Event format", section "Sealed bytes").
  /// - Throws: `key.missing`, `storage.damaged`, or `precondition.failed` for an unknown account.
  package func fingerprint(
    of secret: Secret, for account: AccountID, key: [UInt8]? = nil
  ) throws(GatebookError) -> String {
    try check()
    guard let sealer else { throw Self.noKey }
    let wrapped = if let key { key } else { try connection.wrappedKey(of: account) }
    return try sealer.fingerprint(of: secret, for: account, wrapped: wrapped)
  }
}
