/// What became of a redirect that a ``Browser`` brought.
public enum RedirectEnding: Sendable {
  /// The login that it belongs to took it and succeeded.
  case loggedIn
  /// The login that it belongs to took it and failed.
  case failed(GatebookError)
  /// No login took it; those that wait for a redirect still wait.
  case refused(GatebookError)
}

extension RedirectEnding {
  /// What the browser's page says; nothing of the redirect is repeated.
  var news: String {
    switch self {
    case .loggedIn:
      "The answer to the login was received, and you are logged in. You can close this window."
    case .failed(let error):
      "The answer to the login was received, but the login failed. \(error.message) Return to the "
        + "application."
    case .refused(let error):
      "This answer was refused. \(error.message) The application still waits for the server's answer."
    }
  }
}
