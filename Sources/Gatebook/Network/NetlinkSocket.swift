internal import GatebookSystem

/// The kernel's socket for questions about its network, and for news of it.
enum NetlinkSocket {
  /// A socket that gets the kernel's news; `nil` where there is none to be had.
  static func listening() -> Int32? {
    // RTMGRP_LINK, and RTMGRP_IPV4_IFADDR and _ROUTE, and RTMGRP_IPV6_IFADDR and _ROUTE. Links and
    // addresses too: IPv4 routes that go with them go without a word of their own.
    Sockets.routing(groups: 0x1 | 0x10 | 0x40 | 0x100 | 0x400)
  }

  /// Asks the kernel for its routes.
  ///
  /// - Returns: How far they reach; `nil` where it does not answer.
  static func reach() -> NetworkReach? {
    guard let socket = Sockets.routing(groups: 0) else { return nil }
    defer { FileDescriptor.close(socket) }
    // The kernel answers at once; a sandbox may do so never.
    Sockets.limitWait(socket, seconds: 5)
    guard Sockets.send(question, to: socket) == question.count else { return nil }
    var answer = RouteAnswer()
    // Longer than any part of an answer: netlink(7) sends at most 32 KiB at once.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !answer.isComplete {
      let count = Sockets.receive(socket, &buffer, waits: true)
      if count < 0, SystemError.last == .interrupted { continue }
      guard count > 0, answer.take(buffer[..<count]) else { return nil }
    }
    return answer.reach
  }

  /// A `nlmsghdr` and a `rtmsg` for all families: RTM_GETROUTE with NLM_F_REQUEST and NLM_F_DUMP.
  private static let question: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 28)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: 28, as: UInt32.self)
      bytes.storeBytes(of: 26, toByteOffset: 4, as: UInt16.self)
      bytes.storeBytes(of: 0x301, toByteOffset: 6, as: UInt16.self)
      bytes.storeBytes(of: 1, toByteOffset: 8, as: UInt32.self)
    }
    return bytes
  }()
}
