/// The manager that serves an account, as long as anybody else holds it.
struct WeakAuthorization {
  weak var manager: AuthorizationManager?
  /// The scopes that resources have asked for, by method and URL.
  var resourceScopes: [String: String] = [:]
}

extension AuthorizationManager {
  /// Takes newer settings; the next flow informs the server.
  func adopt(_ app: MobileFirstApp) {
    self.app = app
  }
}
