import GatebookSystem

/// A number that only grows, and that tests wait for without looking again and again.
final class Tally: Sendable {
  private struct State {
    var value = 0
    var waiting: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var next = 0
  }

  private let state = Locked(State())

  var value: Int { state.withLock { $0.value } }

  /// Counts one more, and wakes who waits for that.
  func add() {
    let ready = state.withLock { state in
      state.value += 1
      let value = state.value
      defer { state.waiting.removeAll { $0.count <= value } }
      return state.waiting.filter { $0.count <= value }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until so many were counted, or until the task is cancelled.
  func reaches(_ count: Int) async {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          guard state.value < count, !Task.isCancelled else { return true }
          state.waiting.append((id, count, continuation))
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let found = state.waiting.first { $0.id == id }
        state.waiting.removeAll { $0.id == id }
        return found
      }
      waiter?.continuation.resume()
    }
  }
}
