internal import Gatebook

/// The program that shows a page to the person; where it fails, the next one does.
struct BrowserProgram: Sendable {
  private let program: StartedProgram
  private let others: ArraySlice<[String]>

  /// Starts the first of these command lines that can be started; `nil` where none can.
  private init?(_ lines: ArraySlice<[String]>) {
    var others = lines
    while let line = others.popFirst() {
      guard let program = StartedProgram(line) else { continue }
      self.program = program
      self.others = others
      return
    }
    return nil
  }

  /// Starts a program on a page.
  ///
  /// `$BROWSER` is a list of commands with colons between them, tried in turn; `%s` in one stands
  /// for the URL, which else comes last. Without it the desktop's `xdg-open` is used, where there
  /// is a desktop. No shell sees the URL. `nil` when no browser could be started.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - surroundings: What says which browsers there are.
  init?(_ page: HTTPURL, _ surroundings: Surroundings) {
    self.init(Self.lines(page, surroundings)[...])
  }

  /// Whether the program fails, and each one that is started in its place.
  ///
  /// - Parameter limit: How long to wait for the end of each; `nil` for as long as it runs.
  /// - Returns: `false` too when one still runs then, or the caller was cancelled.
  func fails(within limit: Duration? = nil) async -> Bool {
    var started = self
    while await started.program.fails(within: limit) {
      guard let next = BrowserProgram(started.others) else { return true }
      started = next
    }
    return false
  }

  /// The command lines to try.
  static func lines(_ page: HTTPURL, _ surroundings: Surroundings) -> [[String]] {
    let url = page.description
    guard let browsers = surroundings["BROWSER"] else {
      let hasDesktop = surroundings["DISPLAY"] != nil || surroundings["WAYLAND_DISPLAY"] != nil
      return hasDesktop ? [["xdg-open", url]] : []
    }
    return browsers.split(separator: ":").compactMap { command in
      let words = command.split(separator: " ").map(String.init)
      guard !words.isEmpty else { return nil }
      guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
      return words.map { $0.replacing("%s", with: url) }
    }
  }
}
