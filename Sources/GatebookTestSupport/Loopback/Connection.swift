internal import Gatebook

/// One client's connection, served on a thread of its own.
struct Connection: Sendable {
  let socket: LoopbackSocket
  let number: Int
  let work: ServerWork

  /// Answers requests until a side closes.
  func run() {
    defer { end() }
    var reader = RequestReader(socket, limits: work.limits)
    while true {
      switch reader.next() {
      case .end: return
      case .refused(let status): return refuse(with: status)
      case .request(let head, let body):
        guard answer(head, body) else { return }
      }
    }
  }

  /// Takes the connection off the books before its descriptor is given back: `stop` must never
  /// touch a number that the system has already given to somebody else.
  func end() {
    socket.disconnect()
    work.state.withLock { state in
      state.connections[number] = nil
      socket.close()
    }
  }

  private func answer(_ head: RequestHead, _ body: [UInt8]) -> Bool {
    var request = LoopbackRequest(
      head.method, head.target, fields: head.fields, body: body, connection: number,
      received: work.clock.now())
    let (watchers, requests) = work.state.withLock { state in
      (state.record(&request), state.requests)
    }
    for watcher in watchers { watcher.continuation.resume(returning: requests) }
    let fault = work.fault(for: request)
    let reply = work.finish(
      fault?.apply(to: request, acting: work.handler) ?? work.handler(request))
    if reply.delay > .zero { work.wait(reply.delay) }
    return deliver(reply, to: head)
  }

  /// Whether the connection may be used again.
  private func deliver(_ reply: LoopbackReply, to head: RequestHead) -> Bool {
    let isClosing: Bool
    switch reply.delivery {
    case .complete: isClosing = head.wantsClose
    case .closing: isClosing = true
    case .truncated: isClosing = false
    case .dropped: return false
    case .stalled:
      drain()
      return false
    case .raw(let bytes):
      _ = socket.send(bytes)
      return false
    }
    let isWritten = ReplyWriter(socket: socket)
      .write(reply, to: head.method, date: work.clock.now().wall, isClosing: isClosing)
    if case .truncated = reply.delivery { return false }
    return isWritten && !isClosing
  }

  private func refuse(with status: Int) {
    let reply = work.finish(
      .text(
        "The request was refused with status \(status).\n", status: status))
    let isWritten = ReplyWriter(socket: socket)
      .write(reply, to: "", date: work.clock.now().wall, isClosing: true)
    // Closing with unread bytes would reset the connection and may take the answer with it
    // (RFC 9112 section 9.6).
    socket.endSending()
    if isWritten { drain() }
  }

  private func drain() {
    while !socket.receive().isEmpty {}
  }
}
