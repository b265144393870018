/// What a login method keeps besides its session, in the same transaction.
struct LoginAdditions: Sendable {
  /// Events that follow `login.succeeded`.
  var events: [UnplacedEvent] = []
  /// Further secrets of the account, by their purposes.
  var vault: [(purpose: String, content: [UInt8])] = []
  /// Where something of these was kept until now; the login fails when it is gone.
  var kept: SessionID?
}
