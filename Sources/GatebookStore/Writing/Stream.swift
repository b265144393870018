internal import GatebookCrypto
internal import GatebookEvents

/// What the writer remembers of one stream while nobody else writes: found by one hash, at hand for
/// everything that an event needs.
final class Stream {
  /// `nil` for the book's own stream.
  let account: AccountID?
  /// What stands for it in the tables; 0 for the book's own stream.
  let number: Int64
  /// The revision of its last event.
  var revision: Int64
  /// The account's data key, once it was needed.
  var key: AuthenticatedCipher?
  /// Whether the account's key was destroyed: nothing is added to what is only history now.
  var isErased: Bool

  init(of account: AccountID?, number: Int64, revision: Int64, isErased: Bool) {
    self.account = account
    self.number = number
    self.revision = revision
    self.isErased = isErased
  }
}
