internal import Gatebook

/// Shows the code that the person enters on another device; there is no page to open here.
struct CodeScreen: Browser {
  private let show: @MainActor @Sendable (DeviceCode) -> Void

  /// Makes a screen.
  ///
  /// - Parameter show: Shows a code.
  init(_ show: @escaping @MainActor @Sendable (DeviceCode) -> Void) {
    self.show = show
  }

  func show(_ code: DeviceCode) async throws(GatebookError) {
    await show(code)
  }

  func open(_ page: HTTPURL) async throws(GatebookError) {
    throw Self.pageless
  }

  func redirect() async throws(GatebookError) -> String {
    throw Self.pageless
  }

  private static let pageless = GatebookError(
    .challengeUnhandled,
    "The server answered with a login page instead of a code for another device.",
    kept: "No session was changed.",
    remedy:
      "Log in with `--flow code`, or with another method that opens a login page.")
}
