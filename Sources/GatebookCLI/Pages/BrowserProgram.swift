internal import Gatebook

/// The program that shows pages to the person.
enum BrowserProgram {
  /// Starts it on a page.
  ///
  /// `$BROWSER` is a list of commands with colons between them, tried in turn; `%s` in one stands for
  /// the URL, which else comes last. Without it the desktop's `xdg-open` is used, where there is a
  /// desktop. No shell sees the URL.
  ///
  /// - Returns: `nil` when no browser could be started.
  static func start(_ page: HTTPURL, _ surroundings: Surroundings) -> StartedProgram? {
    for line in lines(page, surroundings) {
      if let program = StartedProgram(line) { return program }
    }
    return nil
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
