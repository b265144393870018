internal import GatebookTestSupport

extension PortalState {
  private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

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
    let text = random.text(16, of: Self.alphabet) + tail
    issued.append(text)
    return text
  }
}
