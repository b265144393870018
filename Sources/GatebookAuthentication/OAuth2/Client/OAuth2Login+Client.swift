internal import GatebookEvents

/// How the application shows who it is, by what its server says of itself.
extension OAuth2Login {
  /// The way, chosen among those that the server lists where the application set none.
  ///
  /// "If omitted, the default is client_secret_basic" (OpenID Connect Discovery 1.0 section 3).
  var way: OAuth2Application.Authentication.Way {
    guard case .listed(let secret) = application.authentication.way else {
      return application.authentication.way
    }
    let listed = metadata?.authenticationMethods ?? [Self.basic]
    let takesPostAlone = !listed.contains(Self.basic) && listed.contains(Self.post)
    return .client(takesPostAlone ? .post : .basic, secret)
  }

  /// Whether that puts the application's id among the parameters.
  var writesClientID: Bool {
    switch way {
    case .client(.basic, _), .client(.basicRaw, _), .listed: false
    case .client(.none, _), .client(.post, _), .signed: true
    }
  }

  /// A failure, with what may be its cause: the application shows who it is in a way that the server
  /// does not list, or by an assertion that it takes to be for somebody else.
  ///
  /// Servers take ways that they do not list, so nobody is refused for it before.
  func explaining(_ error: GatebookError) -> GatebookError {
    let isAboutClient =
      error.serverCode == "invalid_client" || (error.serverCode == nil && error.status == 401)
    guard error.code == .configurationInvalid, isAboutClient else { return error }
    guard let listed = metadata?.authenticationMethods, !listed.contains(wayName) else {
      return advisingAudience(error)
    }
    let names = listed.filter(GatebookError.isPlainName).prefix(8).joined(separator: ", ")
    var explained = error
    explained.message =
      "The server rejected the client, which authenticated with \(wayName). It does not list that method"
      + (names.isEmpty ? "." : ", only \(names).")
    explained.remedy = "Use a method that the server lists, or check the client ID and the secret."
    explained.setting = "authentication"
    return explained
  }

  /// RFC 9126 section 2 has servers take an assertion for their issuer, their token endpoint or the
  /// endpoint that is asked; some take only one of them.
  private func advisingAudience(_ error: GatebookError) -> GatebookError {
    guard case .signed = way else { return error }
    var advised = error
    advised.remedy =
      "Check the client ID, its key, and the audience of its assertions: servers differ in which of "
      + "their URLs they accept."
    advised.setting = "assertion audience"
    return advised
  }

  /// The name of the way in the standard (OpenID Connect Core 1.0 section 9).
  private var wayName: String {
    switch way {
    case .client(.none, _): "none"
    case .client(.basic, _), .client(.basicRaw, _), .listed: Self.basic
    case .client(.post, _): Self.post
    case .signed: "private_key_jwt"
    }
  }

  private static let basic = "client_secret_basic"
  private static let post = "client_secret_post"

  /// Refuses tokens that are not bound to the account's key where the application demands it: who
  /// cannot do without that protection must discard them (RFC 9449 section 5).
  ///
  /// - Throws: `configuration.invalid`.
  func checkBinding(of tokens: OAuth2Tokens) throws(GatebookError) {
    guard application.demandsBoundTokens, !tokens.isBound else { return }
    var error = GatebookError(
      .configurationInvalid, .dpop, kept: GatebookError.keptSessions,
      remedy: "Ask the server's administrator to enable DPoP, or do without it.", status: 200)
    error.setting = "demandsBoundTokens"
    throw error
  }
}
