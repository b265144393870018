internal import Gatebook

extension Call {
  /// Shows codes to the person.
  var codeScreen: CodeScreen { CodeScreen { code in showCode(code) } }

  /// Says what to do on another device.
  private func showCode(_ code: DeviceCode) {
    progress.finish()
    showAddress(code.page)
    output.instruction("enter \(Printable.text(code.userCode))")
    if let page = code.completePage {
      output.message("This page has the code filled in: \(page)")
    }
    showPicture(of: code.completePage ?? code.page)
    output.message(
      "Waiting for you to finish there, for up to \(Self.length(code.lifetime)). Ctrl-C cancels.")
  }

  /// A time in words; the last of several minutes may not be whole.
  static func length(_ time: Duration) -> String {
    let seconds = time.components.seconds
    guard seconds > 0 else { return "0 seconds" }
    return TimeText.spoken(.seconds(seconds < 60 ? seconds : (seconds + 59) / 60 * 60))
  }

  /// Shows a page's address as a picture for the other device's camera, where there is room for it.
  private func showPicture(of page: HTTPURL) {
    guard surroundings.isErrorTerminal, let picture = QRCode(page.description),
      picture.columns <= surroundings.errorColumns ?? 80
    else { return }
    let hasColor =
      surroundings.allowsErrorColor && !arguments.has(GlobalOptions.noColorOption)
    for line in picture.lines(hasColor: hasColor) { output.message(line) }
  }
}

/// Shows the code that the person enters on another device; there is no page to open here.
struct CodeScreen: Browser {
  /// Shows a code.
  let show: @MainActor @Sendable (DeviceCode) -> Void

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
