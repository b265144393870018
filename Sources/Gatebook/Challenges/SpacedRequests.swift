/// When requests were last sent that must not follow each other closely.
struct SpacedRequests {
  private struct Line: Hashable {
    let account: AccountID?
    let url: HTTPURL
  }

  /// When each line may go on, by the boot-time clock.
  private var free: [Line: Duration] = [:]

  /// Lets a request pass, or refuses it.
  ///
  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - account: Who sends it; accounts are islands.
  ///   - now: The boot-time clock.
  /// - Throws: `server.unavailable` for one that comes too early; it was not sent.
  mutating func pass(
    _ request: HTTPRequest, of account: AccountID?, at now: Duration
  ) throws(TransportFailure) {
    guard let spacing = request.limits.spacing else { return }
    free = free.filter { $0.value > now }
    let line = Line(account: account, url: request.url)
    guard free[line] == nil else {
      throw TransportFailure(
        GatebookError(
          .serverUnavailable,
          "This was asked of the server a moment ago, and is not asked again yet.",
          kept: "Sessions are as before.",
          remedy: "Try again in \(spacing.components.seconds) seconds."), delivery: .notSent)
    }
    free[line] = now + spacing
  }
}

extension SessionBook {
  /// Lets a request pass that must not follow another one closely.
  func space(_ request: HTTPRequest, of account: AccountID?) throws(TransportFailure) {
    try spacedRequests.pass(request, of: account, at: clock.now().boot)
  }
}
