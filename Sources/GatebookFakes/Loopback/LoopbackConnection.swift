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
