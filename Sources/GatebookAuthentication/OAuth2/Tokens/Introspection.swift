internal import GatebookEvents

/// What a server tells of a token to the application that holds it (RFC 7662).
struct Introspection: Sendable {
  /// Whether the token is good now.
  let isActive: Bool
  /// Whose it is; `nil` if the server does not say.
  let subject: String?
  /// What the server calls that person; `nil` if it does not say.
  let name: String?

  /// The question about a token.
  static func question(
    _ token: OAuth2Tokens, to url: HTTPURL, at moment: Moment
  ) -> OAuth2Exchange {
    OAuth2Exchange(
      url, [("token", token.access.text), ("token_type_hint", "access_token")], proves: false,
      at: moment)
  }

  /// Reads the answer.
  ///
  /// - Throws: What it means instead: `configuration.invalid`, `server.unavailable` and the like;
  ///   the session is kept.
  init(_ reply: HTTPReply, from url: HTTPURL) throws(GatebookError) {
    guard reply.status == 200, let members = JSONDocument.read(reply.body)?.object,
      let isActive = members["active"]?.bool
    else {
      throw TokenRefusal.error(
        reply, .client, at: url, emptyRefusesClient: true, setting: "introspection endpoint")
    }
    self.isActive = isActive
    subject = members["sub"]?.text.flatMap(Self.name)
    name = members["username"]?.text.flatMap(Self.name)
  }

  private static func name(_ text: String) -> String? {
    (1...255).contains(text.unicodeScalars.count) ? text : nil
  }

  /// Whom it names; both members may be left out (section 2.2).
  ///
  /// - Parameter isUsername: Whether the account's user is known by `username`, and not by `sub`.
  /// - Returns: The user; `nil` for nobody.
  func user(isUsername: Bool) -> String? { isUsername ? name : subject }
}

extension OAuth2Login {
  /// Where tokens may be asked about; `nil` without such an endpoint, and for an application that
  /// could not show who it is there (RFC 7662 section 2.1).
  var usableIntrospectionURL: HTTPURL? {
    if case .client(.none, _) = application.authentication.way { return nil }
    return endpoints.introspectionURL
  }
}
