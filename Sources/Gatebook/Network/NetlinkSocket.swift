internal import Glibc

/// The kernel's socket for questions about its network, and for news of it.
///
/// Glibc's module has none of linux/netlink.h; the numbers are part of the kernel's interface and never
/// change.
enum NetlinkSocket {
  /// A socket that gets the kernel's news; `nil` where there is none to be had.
  static func listening() -> Int32? {
    // RTMGRP_LINK, and RTMGRP_IPV4_IFADDR and _ROUTE, and RTMGRP_IPV6_IFADDR and _ROUTE. Links and
    // addresses too: IPv4 routes that go with them go without a word of their own.
    open(groups: 0x1 | 0x10 | 0x40 | 0x100 | 0x400)
  }

  /// Asks the kernel for its routes.
  ///
  /// - Returns: How far they reach; `nil` where it does not answer.
  static func reach() -> NetworkReach? {
    guard let socket = open(groups: 0) else { return nil }
    defer { close(socket) }
    // The kernel answers at once; a sandbox may do so never.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard send(socket, question, question.count, 0) == question.count else { return nil }
    var answer = RouteAnswer()
    // Longer than any part of an answer: netlink(7) sends at most 32 KiB at once.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !answer.isComplete {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
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

  private static func open(groups: UInt32) -> Int32? {
    // AF_NETLINK, SOCK_RAW with SOCK_CLOEXEC, NETLINK_ROUTE.
    let descriptor = socket(16, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // A `sockaddr_nl`: family, padding, the address (the kernel chooses one), groups.
    var address = [UInt8](repeating: 0, count: 12)
    address.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: 16, as: UInt16.self)
      bytes.storeBytes(of: groups, toByteOffset: 8, as: UInt32.self)
    }
    let status = address.withUnsafeBytes { bytes in
      bytes.baseAddress.map { base in
        bind(descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
