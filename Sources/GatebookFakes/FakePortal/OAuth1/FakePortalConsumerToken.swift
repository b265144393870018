/// OAuth 1.0a token credentials that a fake portal gave out; they never expire.
public struct FakePortalConsumerToken: Hashable, Sendable {
  /// The token, which names the credentials.
  public var token: String
  /// What the consumer signs with.
  public var secret: String
  /// The consumer that has them.
  public var consumerKey: String
  /// Whom they stand for.
  public var userID: Int64
}
