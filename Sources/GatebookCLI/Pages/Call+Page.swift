internal import Gatebook

extension Call {
  /// Shows a server's page to the person: in a browser, else by its address.
  ///
  /// - Parameters:
  ///   - page: The page; it is the person's alone, so it is named only where somebody has to open
  ///     it by hand.
  ///   - place: Where the redirect arrives.
  ///   - advice: What else a person can do where no browser comes up; `nil` for nothing.
  func showPage(_ page: HTTPURL, at place: RedirectPlace, withoutBrowser advice: String? = nil) {
    if let browser = startBrowser(page) {
      output.message(Self.elsewhere)
      // A browser that cannot show it fails soon; one that keeps running is left alone.
      Task {
        guard await browser.fails() else { return }
        showAddress(page)
        if let advice { output.message(advice) }
      }
    } else if !arguments.has(ServerPageArguments.noBrowser) {
      output.message(Self.elsewhere)
      if let advice { output.message(advice) }
    }
    output.message(waiting(at: place))
  }

  /// What the program does after a page was shown.
  private func waiting(at place: RedirectPlace) -> String {
    let limit = (try? ServerPageArguments.limit(arguments)) ?? LoginOptions().redirectLimit
    let end = "for up to \(Self.length(limit)). Ctrl-C cancels."
    guard case .elsewhere = place else { return "Waiting for the server's answer \(end)" }
    return "Waiting for `gatebook login --callback URL`, \(end)"
  }

  /// Starts a browser on a page; `nil`, with the page's address shown, where none is to be had.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - aim: What the person does there.
  /// - Returns: The program; `nil` where none is to be had.
  func startBrowser(_ page: HTTPURL, _ aim: String = "log in there") -> BrowserProgram? {
    guard !arguments.has(ServerPageArguments.noBrowser),
      let browser = BrowserProgram(page, surroundings)
    else {
      showAddress(page)
      return nil
    }
    output.message(
      "Your browser should open a page of \(page.origin): \(aim). If it does not, press Ctrl-C and run "
        + "the command again with `--no-browser`, which prints the address.")
    return browser
  }

  private static let elsewhere =
    "The browser may end at a page that it cannot open, for example on another machine. Then run "
    + "`gatebook login --callback -` in another terminal and paste that page's URL."

  /// Says what to open.
  func showAddress(_ page: HTTPURL) {
    output.instruction("open \(page)")
  }
}

/// Shows a server's page to the person and waits until the redirect is there.
struct PageVisitor: Browser {
  /// Where the redirect arrives.
  let place: RedirectPlace
  /// Shows a page.
  let show: @MainActor @Sendable (HTTPURL) async -> Void
  /// Says that a redirect was refused while the login waits.
  let refuse: @MainActor @Sendable (GatebookError) -> Void

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
