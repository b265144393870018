internal import Gatebook

/// Shows a server's page to the person and waits until the redirect is there.
struct PageVisitor: Browser {
  private let place: RedirectPlace
  private let show: @MainActor @Sendable (HTTPURL) -> Void

  /// Makes a visitor.
  ///
  /// - Parameters:
  ///   - place: Where the redirect arrives.
  ///   - show: Shows a page.
  init(_ place: RedirectPlace, show: @escaping @MainActor @Sendable (HTTPURL) -> Void) {
    self.place = place
    self.show = show
  }

  func open(_ page: HTTPURL) async throws(GatebookError) {
    guard case .port(let listener) = place else { return await show(page) }
    // The listener must know which redirect is this login's.
    try await PageOpener(listener) { [show] page throws(GatebookError) in await show(page) }
      .open(page)
  }

  func redirect() async throws(GatebookError) -> String {
    if case .port(let listener) = place { return try await listener.redirect() }
    // Another process brings it, and the book sees that: this only waits for its end.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
    throw GatebookError(
      .cancelled, "The wait for the redirect was cancelled.", kept: "Sessions are as before.",
      remedy: "Log in again when you like.")
  }
}
