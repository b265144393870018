/// One request on its way through a fake portal, and whom its caller was taken for.
struct PortalVisit: Sendable {
  private(set) var request: LoopbackRequest
  var userID: Int64?
  var scheme = FakePortalRequest.Scheme.guest
  var status: Int?

  init(_ request: LoopbackRequest) {
    self.request = request
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

  /// Takes the caller for a user.
  mutating func recognise(_ userID: Int64?, by scheme: FakePortalRequest.Scheme) {
    self.userID = userID
    self.scheme = userID == nil ? .guest : scheme
  }
}
