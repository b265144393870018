import Gatebook
import GatebookSystem
import GatebookTestSupport

/// A clock on which only a test lets time pass; brief waits end at once.
final class PageClock: BookClock {
  private struct State {
    var sleepers: [Int: (end: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    var next = 0
  }

  private let time = FixedClock()
  private let state = Locked(State())
  /// Up to this length a wait is over at once.
  private let brief: Duration

  init(brief: Duration = .seconds(5)) {
    self.brief = brief
  }

  func now() -> Moment { time.now() }

  func pause(for duration: Duration) async { await time.pause(for: duration) }

  func sleep(for duration: Duration) async {
    guard duration > brief else { return }
    let end = now().boot + duration
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.sleepers[id] = (end, continuation) }
        if Task.isCancelled || now().boot >= end { wake(id) }
      }
    } onCancel: {
      wake(id)
    }
  }

  /// How many wait.
  var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Lets time pass, and wakes those whose wait is over.
  func advance(by duration: Duration) {
    time.advance(by: duration)
    let boot = now().boot
    for id in state.withLock({ $0.sleepers.filter { $0.value.end <= boot }.map(\.key) }) {
      wake(id)
    }
  }

  private func wake(_ id: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
  }
}
