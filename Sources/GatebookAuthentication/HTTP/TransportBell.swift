internal import GatebookSystem

/// Wakes the transport that sends or receives a streamed body, once something has changed at its
/// other end.
package final class TransportBell: Sendable {
  private let wake = Locked<(@Sendable () -> Void)?>(nil)

  /// Makes a bell that nobody hears.
  package init() {}

  /// Says who hears it; a transport calls it before it begins.
  package func hear(_ wake: @escaping @Sendable () -> Void) {
    self.wake.withLock { $0 = wake }
  }

  /// Wakes the transport; does nothing where none has begun.
  package func ring() {
    wake.withLock { $0 }?()
  }
}
