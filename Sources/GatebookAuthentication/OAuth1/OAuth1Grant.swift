/// What the three steps of OAuth 1.0a bring: a token, and what was learnt of the server's clock.
struct OAuth1Grant: Sendable {
  /// The session's token.
  var token: OAuth1Token
  /// The server's clock.
  var clock: OAuth1Clock
}
