/// Shows pages to the person and hears where the server sends them back to.
///
/// An app with a redirect scheme of its own implements both; one that listens on a loopback port
/// shows the page its own way and takes the redirect from a ``LoopbackListener``.
public protocol Browser: Sendable {
  /// Shows a page; returns when it was handed to the browser, not when it was read.
  ///
  /// - Throws: What kept it from being shown; the login then fails with it.
  func open(_ page: HTTPURL) async throws(GatebookError)

  /// The next redirect that arrives.
  ///
  /// It is called again when a redirect was none of this login's. A cancelled call returns at once
  /// by throwing `cancelled`.
  ///
  /// - Returns: The whole URI.
  /// - Throws: What ends the wait; the login then fails with it.
  func redirect() async throws(GatebookError) -> String

  /// Takes what became of a redirect, such as for the page that the person sees; the usual browser does
  /// nothing.
  ///
  /// - Parameters:
  ///   - redirect: What ``redirect()`` returned.
  ///   - ending: What became of it. After ``RedirectEnding/refused(_:)`` the login still waits.
  func end(_ redirect: String, with ending: RedirectEnding) async

  /// Shows a code that the person enters on another device; returns when it is shown, not when it was
  /// entered.
  ///
  /// - Throws: What kept it from being shown; the login then fails with it.
  func show(_ code: DeviceCode) async throws(GatebookError)
}

extension Browser {
  /// Does nothing.
  public func end(_ redirect: String, with ending: RedirectEnding) async {}

  /// Opens the page that has the code in it.
  ///
  /// - Throws: `challenge.unhandled` if the server has none.
  public func show(_ code: DeviceCode) async throws(GatebookError) {
    guard let page = code.completePage else {
      throw GatebookError(
        .challengeUnhandled, "The login has a code for the person, and this browser shows none.",
        kept: "Sessions are as before.", remedy: "Give the login a browser that shows codes.")
    }
    try await open(page)
  }
}
