internal import Gatebook
internal import GatebookSystem

/// The requests and answers of one connection, one after the other.
struct Exchange {
  private let stream: any LoopbackStream
  private let number: Int
  private let work: ServerWork
  private let clientPin: String?

  init(
    _ stream: any LoopbackStream, _ number: Int, _ work: ServerWork, clientPin: String? = nil
  ) {
    self.stream = stream
    self.number = number
    self.work = work
    self.clientPin = clientPin
  }

  /// Answers requests until a side closes.
  func run() {
    var reader = RequestReader(stream)
    while true {
      switch reader.next() {
      case .end: return
      case .refused(let status): return refuse(with: status)
      case .request(let head, let body):
        guard answer(head, body) else { return }
      }
    }
  }

  private func answer(_ head: RequestHead, _ body: [UInt8]) -> Bool {
    var request = LoopbackRequest(
      head.method, head.target, fields: head.fields, body: body, connection: number,
      received: work.clock.now())
    request.clientPin = clientPin
    let fault = work.state.withLock { $0.record(&request) }
    let reply = work.finish(
      fault?.apply(to: request, acting: work.handler) ?? work.handler(request))
    if reply.delay > .zero { work.wait(reply.delay) }
    if case .hold = fault { work.state.withLock(once: { !$0.isHolding }, { _ in }) }
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
    case .reset:
      stream.reset()
      return false
    case .stalled:
      stream.drain()
      return false
    case .raw(let bytes):
      if stream.send(bytes) { stream.endSending() }
      return false
    }
    let isWritten = ReplyWriter(stream: stream)
      .write(reply, to: head.method, date: work.clock.now().wall, isClosing: isClosing)
    if case .truncated = reply.delivery { return false }
    if isWritten, isClosing { stream.endSending() }
    return isWritten && !isClosing
  }

  private func refuse(with status: Int) {
    let reply = work.finish(
      .text(
        "The request was refused with status \(status).\n", status: status))
    let isWritten = ReplyWriter(stream: stream)
      .write(reply, to: "", date: work.clock.now().wall, isClosing: true)
    // Closing with unread bytes would reset the connection and may take the answer with it
    // (RFC 9112 section 9.6).
    stream.endSending()
    if isWritten { stream.drain() }
  }
}
