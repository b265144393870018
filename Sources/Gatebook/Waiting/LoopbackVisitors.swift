/// The browsers that brought a redirect to a loopback listener and wait for a page.
struct LoopbackVisitors: Sendable {
  /// How many logins wait for a redirect here, and will say what became of it: without one the page
  /// comes at once.
  private(set) var logins = 0
  private var waiting: [(redirect: String, page: LoopbackPage)] = []

  /// Counts a login that waits.
  mutating func begin() { logins += 1 }

  /// Counts a login that has ended.
  mutating func end() { logins = max(0, logins - 1) }

  /// Adds a browser, or answers it at once.
  mutating func add(_ page: LoopbackPage, for redirect: String) {
    guard logins > 0 else { return page.answer() }
    waiting.removeAll { $0.page.isAnswered }
    waiting.append((redirect, page))
  }

  /// Removes the one that came first with a redirect.
  ///
  /// - Returns: Its page; `nil` where none waits with that redirect.
  mutating func take(_ redirect: String) -> LoopbackPage? {
    let index = waiting.firstIndex { $0.redirect.utf8.elementsEqual(redirect.utf8) }
    return index.map { waiting.remove(at: $0).page }
  }
}
