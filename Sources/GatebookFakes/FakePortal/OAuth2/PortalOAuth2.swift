/// What a fake portal knows about OAuth 2.
struct PortalOAuth2: Sendable {
  /// A code that waits for its exchange.
  struct Code: Sendable {
    var request: AuthorizationRequest
    var userID: Int64
    var expiry: Duration
  }

  var applications: [FakePortalApplication]
  var codes: [String: Code] = [:]
  var tokens: [FakePortalToken] = []

  /// Finds an application.
  func application(_ clientID: String?) -> FakePortalApplication? {
    applications.first { $0.clientID == clientID }
  }
}
