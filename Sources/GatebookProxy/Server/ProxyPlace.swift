package import Gatebook
internal import GatebookSystem

/// Where programs connect to a proxy: a path of the file system, or a port of this machine.
package struct ProxyPlace: Sendable {
  let socket: Int32
  /// The path; `nil` for a port.
  package let path: String?
  /// The port; `nil` for a path.
  package let port: UInt16?
  private let file: (device: UInt64, inode: UInt64)?

  var isLocal: Bool { path != nil }

  /// Listens at a path, in a folder that only this user can enter.
  ///
  /// A folder that is missing is made so. A socket that nobody listens at is replaced.
  ///
  /// - Parameter path: The path, absolute or not; at most 107 bytes.
  /// - Returns: The place; its socket is 0600.
  /// - Throws: `configuration.invalid`, and why.
  package static func socket(at path: String) throws(GatebookError) -> ProxyPlace {
    guard (1...LocalSocket.longestPath).contains(path.utf8.count) else {
      throw refusal(
        "The path of a socket has at most \(LocalSocket.longestPath) bytes.",
        "Choose a shorter path.")
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if !Files.exists(folder) { Files.makeFolders(folder) }
    guard let status = FileStatus(of: folder), status.isFolder else {
      throw refusal(
        "The socket's folder \(folder) cannot be used: \(SystemError.last.text).",
        "Choose a folder that exists, or that can be made.")
    }
    guard status.isOwn, !status.isOpenToOthers else {
      throw refusal(
        "Other users can enter the socket's folder \(folder).",
        "Choose a folder of mode 0700, such as one below $XDG_RUNTIME_DIR.")
    }
    // A proxy that has not begun to listen is not taken for one that has ended.
    guard let lock = OpenFile.open(folder, .folder), lock.lockWholeWaiting() else {
      throw refusal(
        "The socket's folder \(folder) cannot be locked: \(SystemError.last.text).",
        "Choose another folder.")
    }
    defer { withExtendedLifetime(lock) {} }
    if let found = FileStatus(of: path, followsLinks: false) {
      guard found.isSocket, found.isOwn else {
        throw refusal("\(path) exists and is no socket of this user.", "Choose another path.")
      }
      guard !LocalSocket.answers(at: path) else {
        throw refusal(
          "Another program listens at \(path).", "End that program, or choose another path.")
      }
      Files.remove(path)
    }
    guard let socket = LocalSocket.listen(at: path) else {
      throw refusal(
        "\(path) cannot be listened at: \(SystemError.last.text).", "Choose another path.")
    }
    let made = FileStatus(of: path, followsLinks: false)
    return ProxyPlace(
      socket: socket, path: path, port: nil, file: made.map { ($0.device, $0.inode) })
  }

  /// Listens at a port of 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for any free one.
  /// - Returns: The place, with its port.
  /// - Throws: `configuration.invalid` for a port that is in use.
  package static func port(_ port: UInt16) throws(GatebookError) -> ProxyPlace {
    guard let socket = Sockets.bound(to: port, waits: false) else {
      throw refusal(
        "Port \(port) of 127.0.0.1 cannot be used: \(SystemError.last.text).",
        "Choose another port, or 0 for any free one.")
    }
    guard Sockets.listen(socket), let bound = Sockets.port(of: socket) else {
      let reason = SystemError.last.text
      FileDescriptor.close(socket)
      throw refusal(
        "Port \(port) of 127.0.0.1 cannot be used: \(reason).",
        "Choose another port, or 0 for any free one.")
    }
    return ProxyPlace(socket: socket, path: nil, port: bound, file: nil)
  }

  /// Closes the socket, and removes its path unless that is to stay.
  package func close(keepingPath: Bool = false) {
    // As long as it listens, no other proxy takes the path.
    if !keepingPath { remove() }
    FileDescriptor.close(socket)
  }

  /// Removes the socket's path, unless something else is there by now.
  private func remove() {
    guard let path, let file, let found = FileStatus(of: path, followsLinks: false),
      (found.device, found.inode) == file
    else { return }
    Files.remove(path)
  }

  private static func refusal(_ message: String, _ remedy: String) -> GatebookError {
    GatebookError(.configurationInvalid, message, kept: "Nothing was sent.", remedy: remedy)
  }
}
