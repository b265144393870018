internal import Gatebook
internal import GatebookSystem

/// Keeps the connection of a reader from one question to the next.
///
/// To connect and to look up all parts of a fleet takes longer than most answers.
final class IdleConnection: Sendable {
  // Unchecked: a connection has one owner at a time, and this is the one while it is idle.
  private struct Kept: @unchecked Sendable {
    let connection: FleetConnection
  }

  private let kept = Locked<Kept?>(nil)

  /// Takes the connection out; `nil` if there is none, because another question uses it.
  func take() -> FleetConnection? {
    kept.withLock { kept in
      defer { kept = nil }
      return kept?.connection
    }
  }

  /// Keeps a connection without a transaction; one is enough.
  func keep(_ connection: FleetConnection) {
    let idle = Kept(connection: connection)
    kept.withLock { $0 = idle }
  }
}
