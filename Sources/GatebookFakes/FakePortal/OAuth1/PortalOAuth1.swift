/// What a fake portal knows about OAuth 1.0a.
struct PortalOAuth1: Sendable {
  /// Temporary credentials (RFC 5849 section 2.1) and what became of them.
  struct Temporary: Sendable {
    var secret: String
    var consumerKey: String
    /// A URL, or `oob` for a consumer that has none.
    var callback: String
    /// Set when a user approved.
    var approval: (userID: Int64, verifier: String)?
  }

  var consumers: [FakePortalConsumer]
  var temporary: [String: Temporary] = [:]
  var tokens: [String: FakePortalConsumerToken] = [:]
  /// Consumer and nonce of every signed request that was taken.
  var nonces: Set<[String]> = []
}
