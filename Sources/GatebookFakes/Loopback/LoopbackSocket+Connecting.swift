internal import Glibc

extension LoopbackSocket {
  /// A socket connected to a port on 127.0.0.1; `nil` leaves the reason in `errno`.
  ///
  /// Nothing is waited for longer than 20 s: a server that never answers must not hang its caller.
  init?(connectedTo port: UInt16) {
    self.init(at: port) { descriptor, address, size in
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      return connect(descriptor, address, size)
    }
  }

  /// Sends bytes over a connection of its own.
  ///
  /// - Parameters:
  ///   - bytes: What is sent.
  ///   - port: The port on 127.0.0.1.
  /// - Returns: What comes back up to the end of the connection; `nil` when nobody is there.
  static func answer(to bytes: [UInt8], from port: UInt16) -> [UInt8]? {
    guard let socket = LoopbackSocket(connectedTo: port) else { return nil }
    defer { socket.close() }
    guard socket.send(bytes) else { return nil }
    var answer: [UInt8] = []
    while true {
      let more = socket.receive()
      guard !more.isEmpty else { return answer }
      answer += more
    }
  }
}
