internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// The program for which the agent is asked: the nearest one at the other side that is not
/// `gatebook` itself.
///
/// It shows a person who uses a session. It stops no program of the same user: that can start
/// another one, or change it.
struct CallingProgram: Hashable, Sendable {
  /// The number of its process.
  let process: Int32
  /// Its file; the name of its process where the system does not tell that.
  let path: String

  /// What it is called.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Looks from a connection's other side on upwards; `nil` for one that has gone.
  static func of(_ peer: AskingProgram?) -> CallingProgram? {
    guard var process = peer?.process else { return nil }
    // As deep as no tree of processes is.
    for _ in 0..<64 {
      guard let path = program(of: process) else { return nil }
      if !isGatebook(path) { return CallingProgram(process: process, path: path) }
      guard let parent = ThisProcess.parent(of: process) else { return nil }
      process = parent
    }
    return nil
  }

  /// A process of `gatebook` does not let others of the same user look at its file: then its name
  /// is all that is known.
  private static func program(of process: Int32) -> String? {
    ThisProcess.program(of: process) ?? LocalSocket.Peer.name(of: process)
  }

  private static func isGatebook(_ path: String) -> Bool {
    if path.hasPrefix("/") {
      let file = path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
      return path == own || file.hasSuffix("/gatebook")
    }
    return links.contains { String($0.prefix(15)) == path }
  }

  /// What the kernel adds where the file was replaced since.
  private static let deleted = " (deleted)"
  private static let own = ThisProcess.program(of: ThisProcess.id)
  /// The names that processes of `gatebook` have; the kernel keeps 15 bytes of each.
  private static let links = ["gatebook"] + ProgramName.links
}
