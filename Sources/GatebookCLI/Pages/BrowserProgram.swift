internal import Gatebook
internal import GatebookSystem

/// The program that shows a page to the person, and is left to itself; where it fails, the next one
/// does.
struct BrowserProgram: Sendable {
  private let process: ChildProcess
  private let others: ArraySlice<[String]>

  /// Starts the first of these command lines that can be started; `nil` where none can.
  ///
  /// The program has nothing to read, nowhere to print, and a session of its own: Ctrl-C on the
  /// terminal is for Gatebook.
  private init?(_ lines: ArraySlice<[String]>) {
    var others = lines
    while let line = others.popFirst() {
      guard
        let process = ChildProcess(
          line[0], line, streams: [.nothing, .nothing, .nothing], isOwnSession: true)
      else { continue }
      self.process = process
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
    let start = ContinuousClock.now
    while true {
      let (isRunning, end) = process.look()
      guard isRunning else {
        guard end?.isFailure == true else { return false }
        return await BrowserProgram(others)?.fails(within: limit) ?? true
      }
      if let limit, ContinuousClock.now - start > limit { return false }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
    }
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
