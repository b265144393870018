internal import Gatebook
internal import GatebookThreads

/// What the threads of a loopback server share; they never hold the server itself, so dropping its
/// last reference stops it.
struct ServerWork: Sendable {
  let state: Guarded<ServerState>
  let clock: any BookClock
  let limits: LoopbackLimits
  let wait: @Sendable (Duration) -> Void
  /// Paths that begin with this meet no fault.
  var exempt: String?
  /// The last word on every answer, those of faults and refusals included.
  var finish: @Sendable (LoopbackReply) -> LoopbackReply = { $0 }
  let handler: LoopbackServer.Handler

  /// The fault that a recorded request meets; `nil` when all is well.
  func fault(for request: LoopbackRequest) -> LoopbackFault? {
    if let exempt, request.path.hasPrefix(exempt) { return nil }
    return state.withLock { $0.faults.take(for: request.path) }
  }
}
