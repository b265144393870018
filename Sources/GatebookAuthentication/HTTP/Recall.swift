/// When an answer that is known already will do for a request for what a server publishes.
///
/// Such an answer is the same for everybody who trusts the same servers: all accounts, and all programs
/// of a book, share it. Where it comes from there, ``HTTPReply/recalled`` tells.
package enum Recall: Hashable, Sendable {
  /// Never; but the answer is kept.
  case never
  /// As long as its server says that it does (RFC 9111 section 4.2).
  case whileFresh
  /// Where the server was asked in this way less than so long ago; without an answer since then the
  /// request fails, and is not sent.
  case within(Duration)
  /// Always: nobody is asked.
  case always
}
