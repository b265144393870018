public import GatebookEvents

/// Shows pages to the user and receives the redirects of the server.
///
/// An app with its own redirect scheme implements both; one that listens on a loopback port shows
/// the page itself and takes the redirect from a ``LoopbackListener``.
public protocol Browser: Sendable {
  /// Shows a page; returns when the browser has it, without waiting for the user.
  ///
  /// - Throws: Why it could not be shown; the login then fails with this error.
  func open(_ page: HTTPURL) async throws(GatebookError)

  /// The next redirect that arrives.
  ///
  /// It is called again if a redirect did not belong to this login. A cancelled call throws
  /// `cancelled` at once.
  ///
  /// - Returns: The whole URI.
  /// - Throws: Why the wait ended; the login then fails with this error.
  func redirect() async throws(GatebookError) -> String

  /// Receives the result of a redirect, for example to show it on the page that the user sees; the
  /// default implementation does nothing.
  ///
  /// - Parameters:
  ///   - redirect: What ``redirect()`` returned.
  ///   - ending: Its result. After ``RedirectEnding/refused(_:)`` the login keeps waiting.
  func end(_ redirect: String, with ending: RedirectEnding) async

  /// Shows a code that the user enters on another device; returns when it is shown, without waiting
  /// for the user.
  ///
  /// - Throws: Why it could not be shown; the login then fails with this error.
  func show(_ code: DeviceCode) async throws(GatebookError)
}

extension Browser {
  /// Does nothing.
  public func end(_ redirect: String, with ending: RedirectEnding) async {}

  /// Opens the page that has the code filled in.
  ///
  /// - Throws: `challenge.unhandled` if the server has none.
  public func show(_ code: DeviceCode) async throws(GatebookError) {
    guard let page = code.completePage else {
      throw GatebookError(
        .challengeUnhandled,
        "The login has a code for the user, but this `Browser` cannot show codes.",
        kept: "No session was changed.", remedy: "Pass a `Browser` that implements `show(_:)`.")
    }
    try await open(page)
  }
}

/// The result of a redirect that a ``Browser`` received.
public enum RedirectEnding: Sendable {
  /// Its login succeeded.
  case loggedIn
  /// Its login failed.
  case failed(GatebookError)
  /// It did not belong to a login; waiting logins keep waiting.
  case refused(GatebookError)

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
