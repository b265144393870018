internal import GatebookEvents

extension OAuth2Login {
  /// What the login was asked with, as the person gave it: what the server published of itself is
  /// left out, and there are no secrets.
  ///
  /// - Parameter redirectURI: Where the server sends the browser; `nil` where it sends it nowhere,
  ///   or where that is not known.
  /// - Returns: The settings.
  func settings(redirectURI: String? = nil) -> Facts {
    var facts = application.authentication.settings
    facts["algorithms"] = .list(application.tokenAlgorithms.sorted().map { .text($0) })
    facts["audiences"] = .list(application.trustedAudiences.sorted().map { .text($0) })
    facts["bindsTokens"] = .bool(application.bindsTokens)
    facts["checkURL"] = .optional(checkURL?.description)
    facts["clientID"] = .text(application.clientID)
    facts["demandsBound"] = .bool(application.demandsBoundTokens)
    facts["flow"] = .text(grant.rawValue)
    let rules = application.idTokenRules
    facts["idTokenRules"] = rules == IDTokenRules() ? nil : .object(rules.record)
    facts["issuer"] = .optional(issuer?.description)
    facts["redirectURI"] = .optional(redirectURI)
    facts["scopes"] = .list(application.scopes.map { .text($0) })
    facts["server"] = .object(server.record)
    facts["user"] = .optional(user)
    return facts
  }
}

extension OAuth2Application.Authentication {
  /// How the application shows who it is, without what shows it.
  fileprivate var settings: Facts {
    var settings: Facts = ["clientAuth": .text(wayName)]
    for name in ["audience", "audienceAsked", "keyID"] { settings[name] = record[name] }
    return settings
  }
}

/// How the application shows who it is, by what its server says of itself.
extension OAuth2Login {
  /// The way, chosen among those that the server lists where the application set none.
  ///
  /// "If omitted, the default is client_secret_basic" (OpenID Connect Discovery 1.0 section 3).
  var way: OAuth2Application.Authentication.Way {
    let way = application.authentication.way
    guard application.authentication.isListed, case .client(_, let secret) = way,
      let listed = metadata?.authenticationMethods, !listed.contains(Self.basic),
      listed.contains(Self.post)
    else { return way }
    return .client(.post, secret)
  }

  /// Whether that puts the application's id among the parameters.
  var writesClientID: Bool {
    switch way {
    case .client(.basic, _), .client(.basicRaw, _): false
    case .client(.none, _), .client(.post, _), .signed: true
    }
  }

  /// A failure, with what may be its cause: the application shows who it is in a way that the
  /// server does not list, or by an assertion that it takes to be for somebody else.
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
    let isBare = if case .client(.none, _) = way { true } else { false }
    explained.remedy =
      isBare
      ? "If the client has a secret, log in with it. Otherwise check the client ID."
      : "Use a method that the server lists, or check the client ID and the secret."
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
    case .client(.basic, _), .client(.basicRaw, _): Self.basic
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
    var error = GatebookError.atLogin(
      .configurationInvalid, .dpop,
      remedy: "Ask the server's administrator to enable DPoP, or do without it.", status: 200)
    error.setting = "demandsBoundTokens"
    throw error
  }
}
