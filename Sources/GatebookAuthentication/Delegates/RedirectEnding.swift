public import GatebookEvents

/// The result of a redirect that a ``Browser`` received.
public enum RedirectEnding: Sendable {
  /// Its login succeeded.
  case loggedIn
  /// Its login failed.
  case failed(GatebookError)
  /// It did not belong to a login; waiting logins keep waiting.
  case refused(GatebookError)
}

extension RedirectEnding {
  /// What the browser's page says; nothing of the redirect is repeated.
  package var news: String {
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
