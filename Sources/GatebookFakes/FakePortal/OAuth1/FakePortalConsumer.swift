/// One OAuth 1.0a consumer that is registered at a fake portal.
public struct FakePortalConsumer: Hashable, Sendable {
  /// The name that it is known by.
  public var key: String
  /// What it signs with.
  public var secret: String

  /// Makes a consumer.
  public init(_ key: String, secret: String) {
    self.key = key
    self.secret = secret
  }

  /// A consumer whose secret has to be encoded before it is a key.
  public static let sample = FakePortalConsumer("gb-consumer", secret: "gb&secret+100%/ä=")

  /// The consumers of a fake portal that nobody gave others.
  public static let samples = [sample]
}

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
