internal import GatebookEvents

extension OAuth2Login {
  /// What the login was asked with, as the person gave it: what the server published of itself is
  /// left out, and there are no secrets.
  ///
  /// - Parameter redirectURI: Where the server sends the browser; `nil` where it sends it nowhere, or
  ///   where that is not known.
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
    switch way {
    case .client(let way, _): ["clientAuth": .text(way.rawValue)]
    case .listed: ["clientAuth": "listed"]
    case .signed(_, let keyID, let audience):
      [
        "audience": .optional(audience.text),
        "audienceAsked": audience == .askedEndpoint ? true : nil, "clientAuth": "privateKey",
        "keyID": .optional(keyID),
      ]
    }
  }
}
