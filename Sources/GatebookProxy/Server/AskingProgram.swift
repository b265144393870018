internal import GatebookSystem

/// The program that made a connection, where the system tells it.
package struct AskingProgram: Sendable, Hashable {
  /// The number of its process; `nil` for another user's at a port.
  package let process: Int32?
  /// The name of its process; `nil` for one that has gone.
  package let name: String?
  /// Whether it acts for the proxy's user.
  package let isOwn: Bool

  package init(process: Int32?, name: String?, isOwn: Bool = true) {
    self.process = process
    self.name = name
    self.isOwn = isOwn
  }

  /// The program at the other side of a Unix socket's connection.
  init(_ peer: LocalSocket.Peer) {
    self.init(
      process: peer.process, name: LocalSocket.Peer.name(of: peer.process), isOwn: peer.isOwn)
  }

  /// The program at the other side of a port's connection.
  init(_ owner: ConnectedProcesses.Owner) {
    self.init(
      process: owner.process, name: owner.process.flatMap { LocalSocket.Peer.name(of: $0) },
      isOwn: owner.isOwn)
  }
}
