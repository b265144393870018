/// An account whose credentials go to a URL, and what another program could send there in its name,
/// as the book has it: no server was asked.
package struct CredentialHolder: Sendable {
  /// The account.
  package let context: SessionContext
  /// What the account's requests carry there now; `nil` if a program can send nothing of it.
  package let credential: ProgramCredential?
  /// Whether `SessionBook.credential(of:for:realm:)` would return the same without asking a server
  /// and without writing to the book.
  package let isReady: Bool
}
