internal import Gatebook
internal import GatebookSystem

/// One client's connection, served on a thread of its own.
struct LoopbackConnection: Sendable {
  let socket: LoopbackSocket
  let number: Int
  let work: ServerWork
  /// How it speaks TLS; `nil` for plain HTTP.
  let tls: TLSContext?

  /// Answers requests until a side closes.
  func run() {
    defer { end() }
    guard let tls else { return Exchange(socket, number, work).run() }
    let stream = tls.stream(over: socket)
    let failure = stream.shakeHands()
    let pin = failure == nil ? stream.peerPin : nil
    let handshake = LoopbackHandshake(
      connection: number, version: failure == nil ? stream.version : "", failure: failure,
      clientPin: pin)
    work.state.withLock { $0.handshakes.append(handshake) }
    if failure == nil { return Exchange(stream, number, work, clientPin: pin).run() }
    // Closing with unread bytes would reset the connection and may take the alert with it.
    socket.endSending()
    socket.drain()
  }

  /// Takes the connection off the books before its descriptor is given back: `stop` must never
  /// touch a number that the system has already given to somebody else.
  func end() {
    socket.disconnect()
    work.state.withLock { state in
      state.close(number)
      socket.close()
    }
  }
}

/// The thread that takes connections and gives each a thread of its own.
struct Acceptor: Sendable {
  let listener: LoopbackSocket
  let work: ServerWork

  /// Takes connections until the server stops.
  func run() {
    while true {
      if let socket = listener.acceptConnection() {
        serve(socket)
        continue
      }
      guard work.state.withLock({ $0.phase == .up }) else { return }
      // Without descriptors or memory the connection stays in the backlog until others have closed
      // theirs; asking again at once would only burn the processor they need for it.
      _ = FileDescriptor.awaitReadable([], atMost: 10)
    }
  }

  private func serve(_ socket: LoopbackSocket) {
    Sockets.sendAtOnce(socket.descriptor)
    let opened = work.state.withLock { state in
      state.open(socket).map { (number: $0, tls: state.tls) }
    }
    guard let opened else {
      socket.disconnect()
      socket.close()
      return
    }
    let connection = LoopbackConnection(
      socket: socket, number: opened.number, work: work, tls: opened.tls)
    do throws(GatebookError) {
      try PosixThread.detach { connection.run() }
    } catch {
      connection.end()
    }
  }
}
