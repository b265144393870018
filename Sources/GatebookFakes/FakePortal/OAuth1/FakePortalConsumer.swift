internal import GatebookTestSupport

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

extension PortalState {
  /// Gives out temporary credentials.
  mutating func issueTemporary(
    to consumerKey: String, callback: String
  ) -> (token: String, secret: String) {
    let (token, secret) = (issueAwkward("/+="), issueAwkward(" %&~"))
    oauth1.temporary[token] = PortalOAuth1.Temporary(
      secret: secret, consumerKey: consumerKey, callback: callback)
    return (token, secret)
  }

  /// Notes that a user approved, and gives out the verifier; `nil` when the credentials are gone.
  mutating func approve(_ token: String, by userID: Int64) -> String? {
    guard oauth1.temporary[token] != nil else { return nil }
    let verifier = issueAwkward("~ %")
    oauth1.temporary[token]?.approval = (userID, verifier)
    return verifier
  }

  /// Gives out token credentials.
  mutating func issueConsumerToken(
    to consumerKey: String, of userID: Int64
  ) -> FakePortalConsumerToken {
    let token = FakePortalConsumerToken(
      token: issueAwkward("=/+"), secret: issueAwkward("&% ="), consumerKey: consumerKey,
      userID: userID)
    oauth1.tokens[token.token] = token
    return token
  }

  /// A value that is wrong unless it is decoded once, and signed with what was decoded.
  private mutating func issueAwkward(_ tail: String) -> String {
    issue(random.text(16, of: Self.alphabet) + tail)
  }
}
