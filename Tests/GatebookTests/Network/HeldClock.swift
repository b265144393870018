import Gatebook
import GatebookTestSupport

/// A stopped clock whose sleepers a test wakes.
final class HeldClock: BookClock {
  let time = FixedClock()
  private let holdsPauses: Bool
  private let arrivals = AsyncStream.makeStream(of: Duration.self)
  private let sleepers = TestBox<[Int: CheckedContinuation<Void, Never>]>([:])
  private let count = TestBox(0)

  /// Makes a clock.
  ///
  /// - Parameter holdsPauses: Whether those who follow a book are held too, between two looks.
  init(holdsPauses: Bool = false) {
    self.holdsPauses = holdsPauses
  }

  func now() -> Moment { time.now() }

  func pause(for duration: Duration) async {
    if holdsPauses { await sleep(for: duration) } else { try? await Task.sleep(for: duration) }
  }

  func sleep(for duration: Duration) async {
    let id = count.withLock { count in
      count += 1
      return count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleepers.withLock { $0[id] = continuation }
        if Task.isCancelled { wake(id) }
        arrivals.continuation.yield(duration)
      }
    } onCancel: {
      wake(id)
    }
  }

  /// Waits until somebody sleeps.
  ///
  /// - Returns: For how long.
  func sleeper() async -> Duration? {
    for await duration in arrivals.stream { return duration }
    return nil
  }

  /// How many sleep now.
  var sleeping: Int { sleepers.withLock { $0.count } }

  /// Wakes everybody.
  func wakeAll() {
    for id in sleepers.withLock({ Array($0.keys) }) { wake(id) }
  }

  private func wake(_ id: Int) {
    sleepers.withLock { $0.removeValue(forKey: id) }?.resume()
  }
}
