/// One OAuth 2 application that is registered at a fake portal.
public struct FakePortalApplication: Hashable, Sendable {
  /// How an application may get tokens.
  public enum Grant: String, CaseIterable, Sendable {
    /// With a code that the browser brought (RFC 6749 section 4.1).
    case authorizationCode = "authorization_code"
    /// With a user's name and password (RFC 6749 section 4.3).
    case password
    /// With a refresh token (RFC 6749 section 6); without it none is given out.
    case refreshToken = "refresh_token"
    /// With its own name and secret (RFC 6749 section 4.4).
    case clientCredentials = "client_credentials"
  }

  /// The name that it is known by.
  public var clientID: String
  /// What it proves itself with; `nil` for an application that can keep no secret, of which S256 is
  /// demanded (RFC 7636).
  public var secret: String?
  /// How it may get tokens.
  public var grants: Set<Grant>
  /// Where the browser may be sent back to; compared exactly, port and query included.
  public var redirectURIs: [String]
  /// What it may ask for; who asks for nothing gets all of it.
  public var scopes: [String]

  /// Makes an application.
  ///
  /// - Parameters:
  ///   - clientID: The name that it is known by.
  ///   - secret: What it proves itself with; `nil` for none.
  ///   - grants: How it may get tokens.
  ///   - redirectURIs: Where the browser may be sent back to.
  ///   - scopes: What it may ask for.
  public init(
    _ clientID: String, secret: String? = nil, grants: Set<Grant> = Set(Grant.allCases),
    redirectURIs: [String] = [], scopes: [String] = ["everything.read", "everything.write"]
  ) {
    self.clientID = clientID
    self.secret = secret
    self.grants = grants
    self.redirectURIs = redirectURIs
    self.scopes = scopes
  }

  /// An app on somebody's own machine: no secret, codes and refresh tokens alone.
  public static let native = FakePortalApplication(
    "gb-native", grants: [.authorizationCode, .refreshToken],
    redirectURIs: ["http://127.0.0.1:8910/callback", "screens://oauth2_callback"])

  /// An application with a secret, which may do everything; the secret needs every kind of
  /// encoding, so who encodes it before Base64 is refused.
  public static let confidential = FakePortalApplication(
    "gb-confidential", secret: "app secret: 100%+ä&=",
    redirectURIs: ["https://app.example.test/callback?from=portal"])

  /// The applications of a fake portal that nobody gave others.
  public static let samples = [native, confidential]

  var isPublic: Bool { secret == nil }

  /// What is granted when this is asked for; `nil` when it is more than may be asked for.
  ///
  /// An empty wish is none: RFC 6749 section 3.3 wants at least one name.
  func granted(_ wish: String?) -> String? {
    guard let wish else { return scopes.joined(separator: " ") }
    let names = wish.split(separator: " ").map(String.init)
    return !names.isEmpty && names.allSatisfy(scopes.contains) ? wish : nil
  }
}

/// One pair of OAuth 2 tokens that a fake portal gave out and has not taken back.
public struct FakePortalToken: Hashable, Sendable {
  /// What opens the calls; `nil` once it was revoked or replaced alone.
  public var accessToken: String?
  /// What gets the next pair; `nil` when there is none.
  public var refreshToken: String?
  /// The application that has it.
  public var clientID: String
  /// Whom it stands for; `nil` for the application itself.
  public var userID: Int64?
  /// What it is good for, names separated by blanks.
  public var scope: String
  /// When the access token ends, on the portal's boot-time clock.
  public var accessExpiry: Duration
  /// When the refresh token ends, on the portal's boot-time clock.
  public var refreshExpiry: Duration
}
