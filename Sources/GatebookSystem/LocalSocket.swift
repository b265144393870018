internal import CLinux
internal import Glibc

/// Sockets with a path of the file system (unix(7)); what fails leaves the reason in
/// ``SystemError/last``.
package enum LocalSocket {
  /// The process at the other side of a connection, as it was when it connected.
  package struct Peer: Sendable, Equatable {
    /// Its number.
    package let process: Int32
    /// The user that it acted for.
    package let user: UInt32

    /// Whether it acted for the user that this process acts for.
    package var isOwn: Bool { user == Self.ownUser }

    /// The user that this process acts for.
    package static var ownUser: UInt32 { geteuid() }

    /// The name that the kernel knows of a process (`/proc/PID/comm`); `nil` for one that has
    /// gone.
    package static func name(of process: Int32) -> String? {
      let text = Files.text(of: "/proc/\(process)/comm").prefix { $0 != "\n" }
      return text.isEmpty ? nil : String(text)
    }
  }

  /// The longest path in bytes.
  package static let longestPath = 107

  /// Listens at a path, for this user alone.
  ///
  /// - Parameter path: Where nothing is yet; at most ``longestPath`` bytes.
  /// - Returns: A socket that does not block.
  package static func listen(at path: String) -> Int32? {
    guard let socket = made(waits: false) else { return nil }
    guard with(path, { bind(socket, $0, $1) }), chmod(path, 0o600) == 0,
      Glibc.listen(socket, SOMAXCONN) == 0
    else {
      let number = errno
      close(socket)
      errno = number
      return nil
    }
    return socket
  }

  /// Whether somebody listens at a path.
  package static func answers(at path: String) -> Bool {
    guard let socket = connected(to: path) else { return false }
    close(socket)
    return true
  }

  /// A socket connected to a path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - waits: Whether calls of the socket wait; without, a listener whose queue is full counts as
  ///     none.
  /// - Returns: The socket; `nil` where nobody listens.
  package static func connected(to path: String, waits: Bool = true) -> Int32? {
    guard let socket = made(waits: waits) else { return nil }
    guard with(path, { connect(socket, $0, $1) }) else {
      let number = errno
      close(socket)
      errno = number
      return nil
    }
    return socket
  }

  /// Who is at the other side of a connection; `nil` for a socket of another kind.
  package static func peer(of socket: Int32) -> Peer? {
    var peer = gatebook_peer()
    guard gatebook_peer_of(socket, &peer) == 0, peer.process > 0 else { return nil }
    return Peer(process: peer.process, user: peer.user)
  }

  private static func made(waits: Bool) -> Int32? {
    let socket = Glibc.socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)), 0)
    return socket >= 0 ? socket : nil
  }

  /// Whether a call succeeds with a path as its address.
  private static func with(
    _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Bool {
    guard (1...longestPath).contains(path.utf8.count) else {
      errno = ENAMETOOLONG
      return false
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return false }
      return call(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
    }
  }
}
