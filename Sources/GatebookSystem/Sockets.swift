internal import Glibc

/// Sockets; what fails says so, and leaves the reason in ``SystemError/last``.
package enum Sockets {
  /// Listens on this machine's own address.
  ///
  /// - Parameters:
  ///   - isIPv6: Whether at `::1` instead of 127.0.0.1.
  ///   - port: The port; 0 for any free one.
  /// - Returns: A socket that does not block, and its port.
  package static func listen(isIPv6: Bool, port: UInt16) -> (socket: Int32, port: UInt16)? {
    guard let socket = bound(isIPv6: isIPv6, to: port, waits: false) else { return nil }
    guard listen(socket, waiting: 16), let bound = Self.port(of: socket) else {
      abandon(socket)
      return nil
    }
    return (socket, bound)
  }

  /// A new socket at this machine's own address, which nobody can connect to yet.
  ///
  /// - Parameters:
  ///   - isIPv6: Whether at `::1` instead of 127.0.0.1.
  ///   - port: The port; 0 for any free one.
  ///   - waits: Whether calls of the socket wait.
  /// - Returns: The descriptor; `nil` where the system has none.
  package static func bound(
    isIPv6: Bool = false, to port: UInt16, waits: Bool = true
  ) -> Int32? {
    guard let socket = made(isIPv6: isIPv6, waits: waits) else { return nil }
    set(socket, SOL_SOCKET, SO_REUSEADDR)
    guard withAddress(isIPv6: isIPv6, port, { bind(socket, $0, $1) }) else {
      abandon(socket)
      return nil
    }
    return socket
  }

  /// Lets so many connections wait for ``accept(_:)``.
  package static func listen(_ socket: Int32, waiting count: Int32 = SOMAXCONN) -> Bool {
    Glibc.listen(socket, count) == 0
  }

  /// A socket connected to a port of 127.0.0.1, which waits no longer than this for what it
  /// receives.
  package static func connected(to port: UInt16, waitingAtMost seconds: Int) -> Int32? {
    guard let socket = made(isIPv6: false, waits: true) else { return nil }
    limitWait(socket, seconds: seconds)
    guard withAddress(isIPv6: false, port, { connect(socket, $0, $1) }) else {
      abandon(socket)
      return nil
    }
    return socket
  }

  private static func made(isIPv6: Bool, waits: Bool) -> Int32? {
    let socket = Glibc.socket(
      isIPv6 ? AF_INET6 : AF_INET,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)), 0)
    return socket >= 0 ? socket : nil
  }

  /// Closes a socket that is of no use, and keeps the reason.
  private static func abandon(_ socket: Int32) {
    let number = errno
    close(socket)
    errno = number
  }

  /// Sets an option of integer kind to 1.
  private static func set(_ socket: Int32, _ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    setsockopt(socket, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends what is written at once, without waiting for more.
  package static func sendAtOnce(_ socket: Int32) { set(socket, Int32(IPPROTO_TCP), TCP_NODELAY) }

  /// A call with an address, which answers 0 when it succeeds.
  private typealias AddressCall = (UnsafePointer<sockaddr>, socklen_t) -> Int32

  /// Whether a call succeeds with a port of this machine's own address.
  private static func withAddress(isIPv6: Bool, _ port: UInt16, _ call: AddressCall) -> Bool {
    guard isIPv6 else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return withUnsafeBytes(of: &address) { succeeds(call, with: $0) }
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return withUnsafeBytes(of: &address) { succeeds(call, with: $0) }
  }

  private static func succeeds(_ call: AddressCall, with address: UnsafeRawBufferPointer) -> Bool {
    guard let start = address.baseAddress else { return false }
    return call(start.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count)) == 0
  }

  /// The port that a socket is bound to.
  package static func port(of socket: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let isKnown = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket, $0, &size) == 0
      }
      // The port is at the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        isKnown ? UInt16(bigEndian: $0.pointee.sin_port) : nil
      }
    }
  }

  /// The next connection, if one waits.
  package static func accept(_ listener: Int32) -> Int32? {
    let socket = Glibc.accept(listener, nil, nil)
    guard socket >= 0 else { return nil }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    return socket
  }

  /// A socket to the kernel's routing, which gets the news of the groups (rtnetlink(7)).
  ///
  /// Glibc's module has none of linux/netlink.h; the numbers are part of the kernel's interface and
  /// never change.
  package static func routing(groups: UInt32) -> Int32? {
    // AF_NETLINK, SOCK_RAW with SOCK_CLOEXEC, NETLINK_ROUTE.
    let descriptor = socket(16, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // A `sockaddr_nl`: family, padding, the address (the kernel chooses one), groups.
    var address = [UInt8](repeating: 0, count: 12)
    let isBound = address.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: 16, as: UInt16.self)
      bytes.storeBytes(of: groups, toByteOffset: 8, as: UInt32.self)
      return succeeds({ bind(descriptor, $0, $1) }, with: UnsafeRawBufferPointer(bytes))
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Lets a socket wait no longer than this for what it receives.
  package static func limitWait(_ socket: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Receives once into a buffer.
  ///
  /// - Returns: How many bytes came; 0 at the end, below 0 when it fails.
  package static func receive(_ socket: Int32, _ buffer: inout [UInt8], waits: Bool) -> Int {
    recv(socket, &buffer, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
  }

  /// Sends as much as the socket takes; a peer that has gone raises no signal.
  ///
  /// - Returns: How many bytes it took; below 0 when it fails.
  @discardableResult
  package static func send(_ bytes: [UInt8], to socket: Int32) -> Int {
    Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Sends as much as the socket takes without waiting; a peer that has gone raises no signal.
  ///
  /// - Returns: How many bytes it took; below 0 when it takes none, and ``SystemError/last`` says
  ///   why.
  package static func offer(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Int {
    bytes.withUnsafeBytes {
      Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Says that nothing more is sent.
  package static func endSending(_ socket: Int32) { shutdown(socket, Int32(SHUT_WR)) }

  /// Ends both directions at once, even if another process holds the descriptor.
  package static func disconnect(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Ends both directions at once by a reset: a socket that is connected to nowhere forgets its
  /// connection, which Linux tells the other side so.
  package static func reset(_ socket: Int32) {
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    _ = withUnsafeBytes(of: &nowhere) { address in
      succeeds({ connect(socket, $0, $1) }, with: address)
    }
  }
}
