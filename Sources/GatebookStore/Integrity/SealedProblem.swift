package import GatebookEvents

/// What is wrong with encrypted data, or with what finds an account.
package struct SealedProblem: Hashable, Sendable {
  /// The kinds of problems.
  package enum Fault: Hashable, Sendable {
    /// An account that was not erased has no key.
    case keyMissing
    /// An account that was erased has a key.
    case keyKept
    /// An account's key cannot be decrypted.
    case keyChanged
    /// The vault keeps a secret of nobody, or of an account without a key.
    case ownerless
    /// A secret in the vault cannot be decrypted.
    case secretChanged
    /// The secret of a session is not the one that the log knows.
    case secretReplaced
    /// A session that has not ended has no secret.
    case sessionMissing
    /// Other hashes find an account than its logins gave it, or fewer.
    case lookups
    /// Hashes lead to accounts that are not there.
    case lookupsAstray
    /// What a waiting login needs cannot be decrypted.
    case attempt
    /// A server's document cannot be decrypted.
    case document
    /// The path of a copy of the book cannot be decrypted.
    case copy
  }

  package let fault: Fault
  /// Whose it is; `nil` where nobody is known.
  package let account: AccountID?
  /// What the secret is for, such as `session`; `nil` for what is no secret of the vault.
  package let purpose: String?
  /// The problem as one sentence.
  package let text: String
}
