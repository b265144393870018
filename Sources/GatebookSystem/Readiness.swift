internal import CLinux
internal import Glibc

/// Which of many descriptors can be read or written (epoll(7)).
package final class Readiness: Sendable {
  /// What is waited for, and what came.
  package struct Events: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It can be read, or its other side has ended.
    package static let readable = Events(rawValue: 0x001)
    /// It takes bytes.
    package static let writable = Events(rawValue: 0x004)
    /// Its other side sends no more: it may still read, or has gone.
    package static let sendingEnded = Events(rawValue: 0x2000)
    /// It is gone: reported also where nobody waits for it.
    package static let gone = Events(rawValue: 0x008 | 0x010)
  }

  private let queue: Int32

  /// Makes an empty set; `nil` when the process has no descriptors left.
  package init?() {
    queue = gatebook_epoll_create(O_CLOEXEC)
    guard queue >= 0 else { return nil }
  }

  deinit { close(queue) }

  /// Begins to wait for a descriptor; closing the descriptor ends it.
  package func add(_ descriptor: Int32, _ events: Events) {
    _ = gatebook_epoll_set(queue, 1, descriptor, events.rawValue)
  }

  /// Changes what is waited for.
  package func change(_ descriptor: Int32, _ events: Events) {
    _ = gatebook_epoll_set(queue, 3, descriptor, events.rawValue)
  }

  /// Waits for a descriptor no longer; one that was closed needs no such call.
  package func remove(_ descriptor: Int32) {
    _ = gatebook_epoll_set(queue, 2, descriptor, 0)
  }

  /// Waits until something happens.
  ///
  /// - Parameter milliseconds: How long at most; below 0 without an end.
  /// - Returns: At most 64 descriptors with what can be done; empty after the time, and when a
  ///   signal came.
  package func wait(atMost milliseconds: Int32) -> [(descriptor: Int32, events: Events)] {
    var all: [(descriptor: Int32, events: Events)] = []
    _ = wait(atMost: milliseconds) {
      all.append((descriptor: $0, events: $1))
      return true
    }
    return all
  }

  /// Waits until something happens, and hands over each thing, without memory of the heap.
  ///
  /// - Parameters:
  ///   - milliseconds: How long at most; below 0 without an end.
  ///   - body: Takes a descriptor with what can be done; says whether to continue.
  /// - Returns: Whether it always said so.
  package func wait(atMost milliseconds: Int32, _ body: (Int32, Events) -> Bool) -> Bool {
    withUnsafeTemporaryAllocation(of: gatebook_readiness.self, capacity: 64) { ready in
      guard let start = ready.baseAddress else { return true }
      let count = gatebook_epoll_wait(queue, start, 64, milliseconds)
      return ready.prefix(max(0, Int(count))).allSatisfy {
        body($0.descriptor, Events(rawValue: $0.events))
      }
    }
  }
}
