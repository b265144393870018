internal import Glibc
internal import Testing

/// A port on 127.0.0.1 whose queue is full: the kernel answers nobody who connects, so that no byte
/// of a request can leave.
final class FullQueue {
  private let listener: Int32
  private let only: Int32

  init(at port: UInt16) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    only = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    try #require(Self.at(port) { bind(listener, $0, $1) } == 0, "errno \(errno)")
    try #require(listen(listener, 0) == 0, "errno \(errno)")
    // A queue of length 0 has one place.
    try #require(Self.at(port) { connect(only, $0, $1) } == 0, "errno \(errno)")
  }

  deinit {
    end()
    close(only)
    close(listener)
  }

  /// Gives the port back at once, though a process that is just being started may have inherited
  /// the descriptor for a moment: closing it alone would leave the queue there so long.
  func end() {
    for descriptor in [only, listener] { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private static func at(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
