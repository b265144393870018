internal import GatebookEvents

/// What the threads of a loopback server share; they never hold the server itself, so dropping its
/// last reference stops it.
struct ServerWork: Sendable {
  let state = Guarded(ServerState())
  let handler: LoopbackServer.Handler
  let clock: any BookClock
  let limits: LoopbackLimits
  let wait: @Sendable (Duration) -> Void
}
