internal import Gatebook

extension Call {
  /// Shows a server's page to the person: in a browser, else by its address.
  ///
  /// - Parameters:
  ///   - page: The page; it is the person's alone, so it is named only where somebody has to open it
  ///     by hand.
  ///   - place: Where the redirect arrives.
  func showPage(_ page: HTTPURL, at place: RedirectPlace) {
    if let browser = startBrowser(page) {
      // A browser that cannot show it says so soon; one that goes on is left alone.
      Task { if await browser.fails() { showAddress(page) } }
    }
    output.message(waiting(at: place))
  }

  /// What the program does after a page was shown.
  private func waiting(at place: RedirectPlace) -> String {
    let minutes = LoginOptions().redirectLimit.components.seconds / 60
    let end = "for up to \(minutes) minutes. Ctrl-C cancels."
    guard case .elsewhere = place else { return "Waiting for the server's answer \(end)" }
    return "Waiting until `gatebook login --callback URL` brings the redirect, \(end)"
  }

  /// Starts a browser on a page; `nil`, with the page's address shown, where none is to be had.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - aim: What the person does there.
  /// - Returns: The program; `nil` where none is to be had.
  func startBrowser(_ page: HTTPURL, _ aim: String = "log in there") -> StartedProgram? {
    guard !arguments.has(PageArguments.noBrowser),
      let browser = BrowserProgram.start(page, surroundings)
    else {
      showAddress(page)
      return nil
    }
    output.message("The browser was asked to open a page of \(page.origin): \(aim).")
    return browser
  }

  /// Says what to open.
  func showAddress(_ page: HTTPURL) {
    output.instruction("open \(page)")
  }
}
