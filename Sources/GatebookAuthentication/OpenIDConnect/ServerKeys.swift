internal import GatebookEvents

/// Asks for a server's public keys, which its ID tokens are checked with.
enum ServerKeys {
  /// The request for the keys.
  ///
  /// - Parameters:
  ///   - url: `jwks_uri`.
  ///   - isForced: Whether only a token's unknown key is the reason: a peer that can make us check
  ///     tokens must not be able to make us ask without end.
  /// - Returns: A request; a forced one goes to an issuer once in 30 seconds for all callers.
  static func request(_ url: HTTPURL, isForced: Bool) -> HTTPRequest {
    var request = HTTPRequest(
      "GET", url, fields: [HTTPField("Accept", "application/json")], limits: .endpoint)
    request.recall = isForced ? .within(.seconds(30)) : .never
    return request
  }

  /// The keys of an answer.
  ///
  /// - Throws: What the answer means instead: keys that cannot be had make no token invalid.
  static func read(
    _ status: StatusClass, _ reply: HTTPReply, at url: HTTPURL
  ) throws(GatebookError) -> JSONWebKeySet {
    switch status {
    case .accepted: return try JSONWebKeySet(document: reply.body)
    case .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: url, setting: OAuth2Server.Endpoint.keys.rawValue)
    }
  }

  /// The document of an answer, to be kept; `nil` for one of an odd size.
  static func kept(_ reply: HTTPReply) -> String? {
    reply.body.count <= 64 << 10 ? reply.body.text : nil
  }
}
