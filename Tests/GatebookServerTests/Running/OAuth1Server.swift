internal import Foundation
internal import Testing

/// A real OAuth 1.0a server on loopback.
final class OAuth1Server {
  /// The consumer that has a secret: the example of RFC 5849, section 1.2.
  static let consumerKey = "dpf43f3p2l4k3l03"
  static let consumerSecret = "kd94hf93k423kf44"
  /// The consumer that signs with RSA and has no secret.
  static let rsaConsumerKey = "gatebook-rsa"

  let base: String
  private let process: ServerProcess

  /// The one that all tests share; it must neither be stopped nor revoke.
  static func shared() throws -> OAuth1Server {
    try OAuth1Server(ServerProcess(shared: .oauth1, in: TestServers.oauth1))
  }

  /// One for a test alone.
  ///
  /// The environment takes what the script offers: `TEMPORARY_TTL`, `TOKEN_TTL` and `CLOCK`.
  static func own(_ environment: [String: String] = [:]) throws -> OAuth1Server {
    try OAuth1Server(ServerProcess(own: .oauth1, environment: environment))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
  }

  var requestURL: String { base + "/initiate" }
  var authorizeURL: String { base + "/authorize" }
  var accessURL: String { base + "/token" }
  /// Who the token speaks for, as `{"user":NAME}`.
  var checkURL: String { base + "/api/me" }
  /// The same, checked by another library.
  var secondCheckURL: String { base + "/api/me/second" }
  /// The key of `rsaConsumerKey`, in PEM.
  var rsaKey: String { process.folder + "/rsa.key" }

  /// The words of a login that waits for a person at its page.
  ///
  /// RSA's consumer has its key in a file;
  /// the secret of the other one is to be answered.
  func login(
    _ signature: OAuth1Call.Signature = .hmacSHA1, user: String? = nil
  ) -> [String] {
    let isRSA = signature == .rsaSHA1
    let key = isRSA ? Self.rsaConsumerKey : Self.consumerKey
    return [
      "login", "oauth1", "--request-url", requestURL, "--authorize-url", authorizeURL,
      "--access-url", accessURL, "--check", checkURL, "--consumer-key", key, "--user", user ?? key,
      "--signature", signature.rawValue, "--no-browser", "--json",
    ] + (isRSA ? ["--client-secret-file", rsaKey] : ["--password-stdin"])
  }

  func stop() throws { try process.stop() }

  /// Starts it where it was: what it granted is still good.
  func startAgain() throws { try process.startAgain() }

  /// Revokes all tokens of a person at the server, without telling the client, and returns their
  /// number.
  @discardableResult
  func revokeTokens(of user: String) throws -> Int {
    try process.requireOwn()
    let reply = try Curl.run(["--fail", "--data-urlencode", "user=\(user)", base + "/admin/revoke"])
    try #require(reply.status == 0, "\(reply.errors)")
    return try #require(try JSONObject(reply.output)["revoked"]?.integer)
  }
}
