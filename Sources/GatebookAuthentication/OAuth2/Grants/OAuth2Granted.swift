internal import GatebookCrypto
internal import GatebookEvents

/// What a flow has brought, not yet proven to be anybody's.
package struct OAuth2Granted: Sendable {
  /// The tokens.
  var tokens: OAuth2Tokens
  /// When they were asked for: their life counts from there.
  let sent: Moment
  /// The ID token that came along.
  var idToken: String?
  /// The code that was redeemed.
  var code: Secret?
  /// The nonce that was sent.
  var nonce: String?
  /// The name that was typed.
  var loginName: String?
  /// The password that was typed.
  var password: Secret?

  /// Takes tokens, and the ID token of their answer.
  init(tokens: OAuth2Tokens, _ reply: HTTPReply, sent: Moment) {
    self.tokens = tokens
    self.sent = sent
    idToken = JSONDocument.read(reply.body)?.object?["id_token"]?.text
  }

  /// Reads a granting answer of the token endpoint.
  ///
  /// - Throws: What the answer means instead.
  init(
    _ reply: HTTPReply, for grant: TokenRefusal.Grant, of exchange: OAuth2Exchange,
    _ login: OAuth2Login
  ) throws(GatebookError) {
    guard
      let tokens = OAuth2Tokens(
        reply, hasProof: login.binding != nil, isRenewal: grant == .refresh)
    else {
      throw login.explaining(
        TokenRefusal.error(
          reply, grant, at: exchange.url, emptyRefusesClient: login.isPortal))
    }
    self.init(tokens: tokens, reply, sent: exchange.sent)
    self.tokens.scope = tokens.scope.map { Self.separated($0, asked: login.application.scopes) }
  }

  /// A scope with blanks between its names (RFC 6749 section 3.3), where a server writes commas.
  ///
  /// A comma may be a part of a name: inside a name it separates only where no name that was asked
  /// for is there otherwise. At the begin or the end of a name it always does.
  static func separated(_ scope: String, asked: [String]) -> String {
    guard scope.utf8.contains(UInt8(ascii: ",")) else { return scope }
    func isAsked(_ name: Substring) -> Bool {
      asked.contains { $0.utf8.elementsEqual(name.utf8) }
    }
    let names = scope.split(separator: " ").flatMap { name in
      if isAsked(name) { return [name] }
      let parts = name.split(separator: ",")
      return parts.count == 1 ? parts : [name]
    }
    guard !asked.isEmpty, !names.contains(where: isAsked) else {
      return names.joined(separator: " ")
    }
    return names.flatMap { $0.split(separator: ",") }.joined(separator: " ")
  }
}
