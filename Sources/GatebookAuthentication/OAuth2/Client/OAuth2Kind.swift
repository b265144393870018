/// Under which name a session by OAuth 2 is kept; it is restored as what it is.
package protocol OAuth2Kind: Sendable {
  /// The method's name; frozen: it stands in events.
  static var method: String { get }
}

/// OAuth 2 with endpoints that are set by hand.
package enum PlainOAuth2: OAuth2Kind {
  /// Frozen.
  package static let method = "oauth2"
}

/// OpenID Connect, with a server that describes itself.
package enum OpenIDConnect: OAuth2Kind {
  /// Frozen.
  package static let method = "oidc"
}
