internal import Glibc

/// The system calls of one TCP socket on 127.0.0.1; the caller owns the descriptor.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// A socket bound to a port, 0 for any free one; `nil` leaves the reason in `errno`.
  init?(boundTo port: UInt16) {
    self.init(at: port) { descriptor, address, size in
      LoopbackSocket(adopting: descriptor).set(SOL_SOCKET, SO_REUSEADDR)
      return bind(descriptor, address, size)
    }
  }

  /// A new socket, brought to an address on 127.0.0.1; `nil` leaves the reason in `errno`.
  init?(at port: UInt16, _ bring: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bring(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let reason = errno
      close()
      errno = reason
      return nil
    }
  }

  /// The port that the socket is bound to.
  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Sets an option of integer kind to 1.
  func set(_ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Begins to take connections; `false` leaves the reason in `errno`.
  func listen() -> Bool {
    Glibc.listen(descriptor, SOMAXCONN) == 0
  }

  /// Waits for a connection and takes it; `nil` leaves the reason in `errno`.
  func acceptConnection() -> LoopbackSocket? {
    let accepted = accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return LoopbackSocket(adopting: accepted)
  }

  /// Ends both directions at once, even if another process holds the descriptor: a child process
  /// may have inherited it before it was marked close-on-exec, and then `close` alone would send
  /// nothing.
  func disconnect() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Ends both directions at once by a reset: a socket that is connected to nowhere forgets its
  /// connection, which Linux tells the other side so.
  func reset() {
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  /// Tells the other side that nothing more comes.
  func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Gives the descriptor back.
  func close() {
    Glibc.close(descriptor)
  }

  /// Reads what is there, at most 64 KiB; empty at the end of the stream or after an error.
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      count = 0
      while true {
        let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if received < 0, errno == EINTR { continue }
        count = max(received, 0)
        return
      }
    }
  }

  /// Writes everything; `false` when the other side is gone.
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    Array(bytes).withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        let status = Glibc.send(
          descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if status < 0, errno == EINTR { continue }
        guard status > 0 else { return false }
        sent += status
      }
      return true
    }
  }

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

/// Bytes in both directions between a loopback server and one client, plain or through TLS.
protocol LoopbackStream {
  /// Reads what is there, at most 64 KiB; empty at the end of the stream or after an error.
  func receive() -> [UInt8]

  /// Writes everything; `false` when the other side is gone.
  func send(_ bytes: some Collection<UInt8>) -> Bool

  /// Ends both directions at once by a reset: what the other side has not read is lost.
  func reset()

  /// Tells the other side that nothing more comes.
  func endSending()
}

extension LoopbackStream {
  /// Waits until the other side ends the stream.
  func drain() {
    while !receive().isEmpty {}
  }
}

extension LoopbackSocket: LoopbackStream {}
