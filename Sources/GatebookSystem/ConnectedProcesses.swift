internal import Glibc

/// Who is at the other side of a connection between two ports of 127.0.0.1.
///
/// The kernel tells the user and the inode of that side's socket (sock_diag(7)). `/proc` tells
/// which process has it open.
package struct ConnectedProcesses: Sendable {
  /// The other side of a connection.
  package struct Owner: Sendable, Equatable {
    /// The user that the process acts for.
    package let user: UInt32
    /// The number of the process; `nil` for another user's, and for one that was not found.
    package let process: Int32?

    /// Whether it acts for the user that this process acts for.
    package var isOwn: Bool { user == geteuid() }
  }

  /// The most descriptors that are looked at for one connection: a few milliseconds' worth.
  private static let mostLinks = 4096
  private static let mostRecent = 8

  /// The processes that were found last: a program rarely connects only once.
  private var recent: [Int32] = []

  package init() {}

  /// Finds the other side.
  ///
  /// - Parameter socket: A connection that was accepted at a port of 127.0.0.1.
  /// - Returns: The other side; `nil` for one that has closed the connection.
  package mutating func owner(of socket: Int32) -> Owner? {
    guard let side = Self.otherSide(of: socket) else { return nil }
    guard side.user == geteuid() else { return Owner(user: side.user, process: nil) }
    return Owner(user: side.user, process: process(with: "socket:[\(side.inode)]"))
  }

  private mutating func process(with link: String) -> Int32? {
    var left = Self.mostLinks
    var found = recent.first { Self.has($0, link, &left) }
    if found == nil {
      // A program that has just begun has one of the highest numbers.
      let processes = Files.names(in: "/proc").compactMap { Int32($0) }.sorted(by: >)
      found = processes.first {
        !recent.contains($0) && FileStatus(of: "/proc/\($0)")?.isOwn == true
          && Self.has($0, link, &left)
      }
    }
    guard let found else { return nil }
    recent.removeAll { $0 == found }
    recent.insert(found, at: 0)
    recent = Array(recent.prefix(Self.mostRecent))
    return found
  }

  private static func has(_ process: Int32, _ link: String, _ left: inout Int) -> Bool {
    guard left > 0 else { return false }
    let folder = "/proc/\(process)/fd"
    // The newest connection is among the highest numbers too.
    for name in Files.names(in: folder).compactMap({ Int32($0) }).sorted(by: >) {
      guard left > 0 else { return false }
      left -= 1
      if Files.target(ofLink: "\(folder)/\(name)") == link { return true }
    }
    return false
  }

  /// Asks the kernel for the socket whose own address is the other side's.
  ///
  /// Glibc's module has none of linux/inet_diag.h; the layout is part of the kernel's interface.
  private static func otherSide(of socket: Int32) -> (user: UInt32, inode: UInt32)? {
    guard let here = address(of: socket, getsockname), let there = address(of: socket, getpeername)
    else { return nil }
    // AF_NETLINK, NETLINK_SOCK_DIAG.
    let kernel = Glibc.socket(16, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 4)
    guard kernel >= 0 else { return nil }
    defer { close(kernel) }
    // `nlmsghdr` and `inet_diag_req_v2`.
    var request = [UInt8](repeating: 0, count: 72)
    request.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: 72, as: UInt32.self)
      // SOCK_DIAG_BY_FAMILY as NLM_F_REQUEST.
      bytes.storeBytes(of: 20, toByteOffset: 4, as: UInt16.self)
      bytes.storeBytes(of: 1, toByteOffset: 6, as: UInt16.self)
      bytes[16] = UInt8(AF_INET)
      bytes[17] = UInt8(IPPROTO_TCP)
      bytes.storeBytes(of: .max, toByteOffset: 20, as: UInt32.self)
      bytes.storeBytes(of: there.sin_port, toByteOffset: 24, as: UInt16.self)
      bytes.storeBytes(of: here.sin_port, toByteOffset: 26, as: UInt16.self)
      bytes.storeBytes(of: there.sin_addr.s_addr, toByteOffset: 28, as: UInt32.self)
      bytes.storeBytes(of: here.sin_addr.s_addr, toByteOffset: 44, as: UInt32.self)
      // INET_DIAG_NOCOOKIE.
      bytes.storeBytes(of: .max, toByteOffset: 64, as: UInt64.self)
    }
    guard Glibc.send(kernel, request, request.count, 0) == request.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 512)
    let count = recv(kernel, &answer, answer.count, Int32(MSG_DONTWAIT))
    // `nlmsghdr` and `inet_diag_msg`.
    guard count >= 88 else { return nil }
    return answer.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 20 else { return nil }
      let inode = bytes.loadUnaligned(fromByteOffset: 84, as: UInt32.self)
      // A socket that is closed has none, and no user.
      guard inode != 0 else { return nil }
      return (bytes.loadUnaligned(fromByteOffset: 80, as: UInt32.self), inode)
    }
  }

  private static func address(
    of socket: Int32,
    _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> sockaddr_in? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(socket, $0, &size) }
    }
    return status == 0 && address.sin_family == sa_family_t(AF_INET) ? address : nil
  }
}
