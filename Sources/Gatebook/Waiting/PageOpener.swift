/// A browser for programs: passes the page to a function and receives the redirect on a loopback
/// port.
public struct PageOpener: Browser {
  private let listener: LoopbackListener
  private let show: @Sendable (HTTPURL) async throws(GatebookError) -> Void

  /// Makes a browser.
  ///
  /// - Parameters:
  ///   - listener: Receives the redirect; the login's redirect URI is its `uri`.
  ///   - show: Shows a page to the user, for example in the desktop's browser.
  public init(
    _ listener: LoopbackListener,
    show: @escaping @Sendable (HTTPURL) async throws(GatebookError) -> Void
  ) {
    self.listener = listener
    self.show = show
  }

  /// Shows a page.
  public func open(_ page: HTTPURL) async throws(GatebookError) {
    // First: the redirect may come before the function returns.
    await listener.expect(from: page)
    try await show(page)
  }

  /// The next redirect that arrives at the listener.
  public func redirect() async throws(GatebookError) -> String {
    try await listener.redirect()
  }

  /// Shows the result of a redirect on the listener's page.
  public func end(_ redirect: String, with ending: RedirectEnding) async {
    listener.end(redirect, with: ending)
  }
}
