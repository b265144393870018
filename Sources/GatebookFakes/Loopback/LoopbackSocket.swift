internal import GatebookSystem

/// One TCP socket on 127.0.0.1; the caller owns the descriptor.
struct LoopbackSocket: Sendable {
  let descriptor: Int32

  init(adopting descriptor: Int32) {
    self.descriptor = descriptor
  }

  private init?(_ descriptor: Int32?) {
    guard let descriptor else { return nil }
    self.descriptor = descriptor
  }

  /// A socket bound to a port, 0 for any free one; `nil` leaves the reason in `SystemError.last`.
  init?(boundTo port: UInt16) {
    self.init(Sockets.bound(to: port))
  }

  /// A socket connected to a port; `nil` leaves the reason in `SystemError.last`.
  ///
  /// Nothing is waited for longer than 20 s: a server that never answers must not hang its caller.
  init?(connectedTo port: UInt16) {
    self.init(Sockets.connected(to: port, waitingAtMost: 20))
  }

  /// The port that the socket is bound to.
  var port: UInt16 { Sockets.port(of: descriptor) ?? 0 }

  /// Waits for a connection and takes it; `nil` leaves the reason in `SystemError.last`.
  func acceptConnection() -> LoopbackSocket? { LoopbackSocket(Sockets.accept(descriptor)) }

  /// Ends both directions at once: a child process may have inherited the descriptor before it was
  /// marked close-on-exec, and then `close` alone would send nothing.
  func disconnect() { Sockets.disconnect(descriptor) }

  /// Ends both directions at once by a reset.
  func reset() { Sockets.reset(descriptor) }

  /// Tells the other side that nothing more comes.
  func endSending() { Sockets.endSending(descriptor) }

  /// Gives the descriptor back.
  func close() { FileDescriptor.close(descriptor) }

  /// Reads what is there, at most 64 KiB; empty at the end of the stream or after an error.
  func receive() -> [UInt8] { FileDescriptor.read(descriptor, atMost: 64 << 10) ?? [] }

  /// Writes everything; `false` when the other side is gone.
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)
    while !rest.isEmpty {
      let sent = Sockets.send(rest, to: descriptor)
      if sent < 0, SystemError.last == .interrupted { continue }
      guard sent > 0 else { return false }
      rest.removeFirst(sent)
    }
    return true
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
