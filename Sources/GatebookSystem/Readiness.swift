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
    var ready = [gatebook_readiness](repeating: gatebook_readiness(), count: 64)
    let count = gatebook_epoll_wait(queue, &ready, 64, milliseconds)
    return ready.prefix(max(0, Int(count))).map { ($0.descriptor, Events(rawValue: $0.events)) }
  }
}
