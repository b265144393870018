/// Decides which refusals of a proxy are recorded: each of a program once an hour, and never so
/// many that a program that changes its name could fill the book.
package struct RefusalJournal: Sendable {
  private struct Entry: Hashable {
    let refusal: ProxyRefusal
    let name: String?
  }

  /// How long the same refusal is not recorded again.
  package static let interval = Duration.seconds(3600)
  /// How many are recorded in that time.
  package static let most = 64

  private var recorded: [Entry: Duration] = [:]

  package init() {}

  /// Whether a refusal is to be recorded.
  ///
  /// - Parameters:
  ///   - refusal: Why a request was not forwarded.
  ///   - program: Whose it was.
  ///   - now: The time on a clock that never jumps.
  /// - Returns: Whether this one is recorded.
  package mutating func takes(
    _ refusal: ProxyRefusal, of program: AskingProgram?, at now: Duration
  ) -> Bool {
    let entry = Entry(refusal: refusal, name: program?.name)
    if let last = recorded[entry], now - last < Self.interval { return false }
    recorded = recorded.filter { now - $0.value < Self.interval }
    guard recorded.count < Self.most else { return false }
    recorded[entry] = now
    return true
  }
}
