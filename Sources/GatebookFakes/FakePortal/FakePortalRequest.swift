/// One request that a fake portal received, and whom it took the caller for.
public struct FakePortalRequest: Hashable, FakeServerVisit {
  /// How a caller proved who it is.
  public enum Scheme: String, Sendable {
    /// Not at all, or wrongly.
    case guest
    /// With HTTP Basic.
    case basic
    /// With the cookie of a session that is logged in.
    case session
    /// With an OAuth 2 access token; without a user it stands for the application itself.
    case bearer
    /// With an OAuth 1.0a signature.
    case oauth1
  }

  /// The request as it came.
  public var request: LoopbackRequest
  /// The user who was authenticated; a login that succeeds counts as its user's, and so does a
  /// request that got tokens.
  ///
  /// `nil` for guests.
  public var userID: Int64?
  /// How the user was authenticated.
  public var scheme = Scheme.guest
  /// The status that the portal answered; `nil` when a fault came before it acted.
  public var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
  }

  /// Takes the caller for a user.
  mutating func recognise(_ userID: Int64?, by scheme: Scheme) {
    self.userID = userID
    self.scheme = userID == nil ? .guest : scheme
  }

  /// Takes the caller for whom a token stands for: its user, or the application itself.
  mutating func recognise(_ token: FakePortalToken) {
    userID = token.userID
    scheme = .bearer
  }

  /// Forgets the credentials that were somebody else's.
  mutating func dropAuthorization() {
    request.fields.all.removeAll { $0.name.lowercased() == "authorization" }
  }
}
