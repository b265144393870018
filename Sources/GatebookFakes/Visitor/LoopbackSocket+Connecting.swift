internal import Glibc

extension LoopbackSocket {
  /// A socket connected to a port on 127.0.0.1; `nil` leaves the reason in `errno`.
  ///
  /// Nothing is waited for longer than 20 s: a server that never answers must not hang its caller.
  init?(connectedTo port: UInt16) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { return nil }
    self.init(adopting: descriptor)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let reason = errno
      close()
      errno = reason
      return nil
    }
  }
}
