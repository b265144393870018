internal import CPostgreSQL
internal import Gatebook
internal import GatebookSystem

/// Asks a server to end the statement that it works on for a connection.
///
/// libpq waits until the server has taken the request, and a halted server never does. So a thread
/// of its own does it, and nobody waits longer than a few seconds.
// Unchecked: after `send()` only that thread uses it.
final class CancelRequest: @unchecked Sendable {
  private let functions: pq_functions
  private let request: OpaquePointer

  private static let limit = Duration.seconds(5)

  /// Makes a request; `nil` for a connection that is closed.
  init?(_ functions: pq_functions, of connection: OpaquePointer) {
    guard let request = functions.PQgetCancel(connection) else { return nil }
    self.functions = functions
    self.request = request
  }

  deinit { functions.PQfreeCancel(request) }

  /// Sends it, and waits until the server has taken it.
  func send() {
    let isOver = Locked(false)
    guard
      (try? PosixThread.detach { [self] in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
          _ = functions.PQcancel(request, text.baseAddress, 256)
        }
        isOver.withLock { $0 = true }
      }) != nil
    else { return }
    let end = SystemTime.monotonic + Self.limit.microseconds
    while !isOver.value(once: { $0 }, until: end), SystemTime.monotonic < end {}
  }
}
