import Gatebook
import Glibc

@testable import GatebookStore

/// Holds a book's store up on its own thread, so that a test knows which writes wait after it.
final class StoreHold: Sendable {
  private let isReleased = TestBox(false)
  private let steps = AsyncStream.makeStream(of: Void.self)

  /// Returns when the store works for nobody else.
  func take(_ store: EventStore) async {
    Task { await store.stay(in: self) }
    await step()
  }

  /// Waits until a write waits after it.
  func arrival() async { await step() }

  func release() { isReleased.value = true }

  private func step() async {
    for await _ in steps.stream { return }
  }

  fileprivate func tell() { steps.continuation.yield() }

  fileprivate var goesOn: Bool { !isReleased.value }
}

extension EventStore {
  /// Blocks the store's thread until the hold is released.
  fileprivate func stay(in hold: StoreHold) {
    hold.tell()
    while thread.isIdle, hold.goesOn { usleep(500) }
    hold.tell()
    while hold.goesOn { usleep(500) }
    // A waiting write must not be the only one: it could not be withdrawn.
    Task { self.doNothing() }
  }

  private func doNothing() {}
}
