/// What a login method keeps besides its session, in the same transaction.
struct LoginAdditions: Sendable {
  /// Events that follow `login.succeeded`.
  var events: [AuthorizationEvent] = []
  /// Further secrets of the account, by their purposes.
  var vault: [(purpose: String, content: [UInt8])] = []
}
