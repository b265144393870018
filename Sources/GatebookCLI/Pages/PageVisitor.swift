internal import Gatebook

/// Shows a server's page to the person and waits until the redirect is there.
struct PageVisitor: Browser {
  private let place: RedirectPlace
  private let show: @MainActor @Sendable (HTTPURL) -> Void
  private let refuse: @MainActor @Sendable (GatebookError) -> Void

  /// Makes a visitor.
  ///
  /// - Parameters:
  ///   - place: Where the redirect arrives.
  ///   - show: Shows a page.
  ///   - refuse: Says that a redirect was refused while the login waits.
  init(
    _ place: RedirectPlace, show: @escaping @MainActor @Sendable (HTTPURL) -> Void,
    refuse: @escaping @MainActor @Sendable (GatebookError) -> Void
  ) {
    self.place = place
    self.show = show
    self.refuse = refuse
  }

  func open(_ page: HTTPURL) async throws(GatebookError) {
    guard case .port(let listener) = place else { return await show(page) }
    // The listener must know which redirect is this login's.
    try await PageOpener(listener) { [show] page throws(GatebookError) in await show(page) }
      .open(page)
  }

  func end(_ redirect: String, with ending: RedirectEnding) async {
    if case .port(let listener) = place {
      listener.end(redirect, with: ending)
    }
    if case .refused(let error) = ending { await refuse(error) }
  }

  func redirect() async throws(GatebookError) -> String {
    if case .port(let listener) = place { return try await listener.redirect() }
    // Another process brings it, and the book sees that: this only waits for its end.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
    throw GatebookError(
      .cancelled, "The wait for the redirect was cancelled.", kept: "No session was changed.",
      remedy: "Log in again when you like.")
  }
}
