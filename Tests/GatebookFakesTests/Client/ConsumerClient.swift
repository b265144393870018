import GatebookCrypto

@testable import GatebookFakes

/// An OAuth 1.0a consumer that signs with a base string written for the tests.
struct ConsumerClient {
  let portal: FakeLiferayPortal
  var key = FakePortalConsumer.sample.key
  var secret = FakePortalConsumer.sample.secret
  var token: (name: String, secret: String)?
  /// How it believes to reach the portal.
  var scheme = "http"
  /// Parameters of the protocol in place of the right ones; an empty value leaves one out.
  var changes: [String: String] = [:]

  /// The time on a stopped clock.
  static let now = 1_767_323_045

  /// The value of `Authorization` for a request.
  func authorization(
    _ method: String, _ path: String, nonce: String, _ more: [String: String] = [:]
  ) -> String {
    var parameters = [
      "oauth_consumer_key": key, "oauth_signature_method": "HMAC-SHA1", "oauth_nonce": nonce,
      "oauth_timestamp": String(Self.now), "oauth_version": "1.0",
    ]
    if let token { parameters["oauth_token"] = token.name }
    parameters.merge(more) { $1 }
    parameters.merge(changes) { $1 }
    parameters = parameters.filter { !$0.value.isEmpty }
    let url = Self.encoded("\(scheme)://127.0.0.1\(path)")
    let pairs = parameters.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.sorted()
    let base = "\(method)&\(url)&\(Self.encoded(pairs.joined(separator: "&")))"
    let signingKey = "\(Self.encoded(secret))&\(Self.encoded(token?.secret ?? ""))"
    let signature = HMAC.code(.sha1, key: Array(signingKey.utf8), Array(base.utf8))
    if parameters["oauth_signature"] == nil {
      parameters["oauth_signature"] = Base64Text.encode(signature)
    }
    let list = parameters.map { "\($0.key)=\"\(Self.encoded($0.value))\"" }.sorted()
    return "OAuth realm=\"x\", \(list.joined(separator: ", "))"
  }

  /// Sends a signed request without a body.
  func ask(
    _ method: String, _ path: String, nonce: String, _ more: [String: String] = [:]
  ) -> Answer? {
    let field = ("Authorization", authorization(method, path, nonce: nonce, more))
    return RawClient.ask(portal.port, method, path, [field])
  }

  /// Asks for temporary credentials.
  func begin(_ callback: String, nonce: String = "n1", by method: String = "POST") -> Answer? {
    ask(method, "/c/portal/oauth/request_token", nonce: nonce, ["oauth_callback": callback])
  }

  /// Exchanges a verifier.
  func exchange(_ verifier: String, nonce: String = "n2") -> Answer? {
    ask("POST", "/c/portal/oauth/access_token", nonce: nonce, ["oauth_verifier": verifier])
  }

  /// The same consumer with the credentials of an answer; `nil` when there are none.
  func taking(_ answer: Answer?) -> ConsumerClient? {
    let request = LoopbackRequest("GET", "/?\(answer?.text ?? "")")
    guard let name = request.queryValue("oauth_token"),
      let secret = request.queryValue("oauth_token_secret")
    else { return nil }
    var client = self
    client.token = (name, secret)
    return client
  }

  /// RFC 5849 section 3.6.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || "-._~".contains(character) { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
