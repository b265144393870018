internal import Gatebook
internal import GatebookSystem
internal import Glibc

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
      let reason = errno
      guard work.state.withLock({ $0.phase == .up }) else { return }
      switch reason {
      case EINTR, ECONNABORTED, EPROTO: continue
      // EMFILE, ENFILE, ENOBUFS, ENOMEM: the connection stays in the backlog until others have
      // closed theirs; asking again at once would only burn the processor they need for it.
      default: poll(nil, 0, 10)
      }
    }
  }

  private func serve(_ socket: LoopbackSocket) {
    socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
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
