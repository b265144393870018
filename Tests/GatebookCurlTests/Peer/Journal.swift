internal import GatebookSystem

/// What a peer saw, in its order; tests wait for entries instead of for time.
final class Journal: Sendable {
  enum Entry: Sendable {
    case accepted(connection: Int)
    case received(RawRequest)
    case closed(connection: Int)
    /// The peer sent so many bytes until the other side was gone.
    case sent(bytes: Int)
  }

  private struct Waiter {
    let isDue: @Sendable ([Entry]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
  }

  private let state = Locked(State())

  var entries: [Entry] { state.withLock { $0.entries } }

  var requests: [RawRequest] {
    entries.compactMap { if case .received(let request) = $0 { request } else { nil } }
  }

  var connections: Int {
    entries.count { if case .accepted = $0 { true } else { false } }
  }

  func note(_ entry: Entry) {
    let due = state.withLock { state in
      state.entries.append(entry)
      let entries = state.entries
      let due = state.waiters.filter { $0.isDue(entries) }
      state.waiters.removeAll { $0.isDue(entries) }
      return due
    }
    for waiter in due {
      waiter.continuation.resume()
    }
  }

  /// Returns as soon as the entries are as wanted.
  func wait(until isDue: @escaping @Sendable ([Entry]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDueNow = state.withLock { state in
        guard !isDue(state.entries) else { return true }
        state.waiters.append(Waiter(isDue: isDue, continuation: continuation))
        return false
      }
      if isDueNow {
        continuation.resume()
      }
    }
  }

  func waitForRequest() async {
    await wait { $0.contains { if case .received = $0 { true } else { false } } }
  }

  func waitForClose(of connection: Int) async {
    await wait {
      $0.contains { if case .closed(connection) = $0 { true } else { false } }
    }
  }
}
