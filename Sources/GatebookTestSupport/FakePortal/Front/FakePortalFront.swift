/// A server in front of a fake portal that asks for HTTP Basic of its own.
public struct FakePortalFront: Hashable, Sendable {
  /// The realm that its challenge names.
  public var realm: String
  /// The name it wants.
  public var name: String
  /// The password it wants.
  public var password: String

  /// Makes a front.
  public init(realm: String = "Gatebook fake front", name: String, password: String) {
    self.realm = realm
    self.name = name
    self.password = password
  }

  func admits(_ request: LoopbackRequest) -> Bool {
    guard let credentials = request.basicCredentials else { return false }
    return credentials == (name, password)
  }

  var refusal: LoopbackReply {
    PortalPage.error(401, "This server wants to know you first.")
      .with("WWW-Authenticate", "Basic realm=\"\(realm)\"")
  }
}
