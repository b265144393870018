internal import GatebookCrypto
internal import GatebookEvents

/// What a flow has brought, not yet proven to be anybody's.
struct OAuth2Granted: Sendable {
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
        TokenRefusal.error(reply, grant, at: exchange.url, emptyRefusesClient: false))
    }
    self.tokens = tokens
    self.tokens.scope = tokens.scope.map { Self.separated($0, asked: login.application.scopes) }
    sent = exchange.sent
    idToken = JSONDocument.read(reply.body)?.object?["id_token"]?.text
  }

  /// A scope with blanks between its names (RFC 6749 section 3.3), where a server writes commas.
  ///
  /// A comma may be a part of a name: it separates only where no name that was asked for is there
  /// otherwise.
  static func separated(_ scope: String, asked: [String]) -> String {
    let names = scope.split(separator: " ")
    guard scope.utf8.contains(UInt8(ascii: ",")), !asked.isEmpty,
      !asked.contains(where: { name in names.contains { $0.utf8.elementsEqual(name.utf8) } })
    else { return scope }
    return scope.split { $0 == " " || $0 == "," }.joined(separator: " ")
  }
}
