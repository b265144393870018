internal import Gatebook
internal import GatebookSystem

extension ProxyConnection {
  /// A body of at most so many bytes is read before anything is sent to the server.
  ///
  /// After a renewal of the session it can be sent again, and the server does not wait for its end.
  private static let short = 64 << 10

  /// Takes apart what came, and writes what the server answered, until more must come.
  func advance(at now: Duration) {
    var isMoving = true
    while isMoving, !isOver {
      isMoving =
        switch phase {
        case .head(let scan): output.count == 0 && takeHead(scan)
        case .gathering(let forwarding, let length): gather(forwarding, length)
        case .waiting(let forwarding): start(forwarding)
        case .forwarding(let forwarding): forward(forwarding)
        case .lingering: false
        }
      write(at: now)
    }
    if case .lingering = phase, output.count == 0, !isOver {
      if isInputEnded { return end() }
      Sockets.endSending(socket)
    }
  }

  /// - Returns: Whether a request has begun, or was refused.
  private func takeHead(_ scan: HeadScan) -> Bool {
    guard !input.isEmpty else { return false }
    var scan = scan
    var read: RequestHead?
    do throws(ProxyRefusal) {
      guard let end = try scan.next(input) else {
        phase = .head(scan)
        return false
      }
      let head = try RequestHead(input[..<end])
      read = head
      input.removeFirst(end)
      let framing = try BodyFraming(head)
      do throws(ProxyRefusal) {
        try begin(head, framing)
      } catch {
        // What is not read of a body would be read as the next request.
        refuse(error, head, isLast: framing != .none)
      }
    } catch {
      refuse(error, read)
    }
    return true
  }

  private func begin(_ head: RequestHead, _ framing: BodyFraming) throws(ProxyRefusal) {
    let request = try context.request(for: head)
    // Nobody knows what a body of these means; servers disagree.
    guard framing == .none || head.method != "HEAD" else { throw .framing }
    let forwarding = Forwarding(
      head, request, framing,
      Exchange(window: context.limits.window, news: context.news(of: socket)))
    if case .length(let count) = framing, count <= Self.short, !head.expectsContinue {
      phase = .gathering(forwarding, length: count)
    } else {
      phase = .waiting(forwarding)
    }
  }

  private func gather(_ forwarding: Forwarding, _ length: Int) -> Bool {
    guard input.count >= length else { return false }
    forwarding.request.body = Array(input[..<length])
    forwarding.isUploadEnded = true
    input.removeFirst(length)
    phase = .waiting(forwarding)
    return true
  }

  private func start(_ forwarding: Forwarding) -> Bool {
    guard context.begins(forwarding, of: program) else { return false }
    lastMove = context.clock.now().boot
    let length = forwarding.isUploadEnded ? 0 : forwarding.bodyLength
    forwarding.exchange.begin(
      forwarding.request, bodyLength: length, on: context.executor,
      by: context.send(for: program))
    phase = .forwarding(forwarding)
    return true
  }

  /// - Returns: Whether the answer is whole.
  private func forward(_ forwarding: Forwarding) -> Bool {
    do throws(ProxyRefusal) {
      try upload(forwarding)
    } catch {
      forwarding.exchange.abandon()
      // After the answer has begun nothing else can be said.
      guard !forwarding.isHeadSent else {
        end()
        return false
      }
      refuse(error, forwarding.head)
      return true
    }
    // The window is kept: what the program does not read stays with the server.
    guard output.count < context.limits.window else { return false }
    return download(forwarding)
  }

  private func upload(_ forwarding: Forwarding) throws(ProxyRefusal) {
    let exchange = forwarding.exchange
    if !forwarding.isAsked, !forwarding.isHeadSent, exchange.isUploadWanted {
      forwarding.isAsked = true
      output.append("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
    guard !forwarding.isUploadEnded, !input.isEmpty, exchange.room > 0 else { return }
    switch forwarding.framing {
    case .none: break
    case .length:
      let count = min(forwarding.left, input.count)
      forwarding.left -= count
      forwarding.isUploadEnded = forwarding.left == 0
      exchange.give(input[..<count], isEnd: forwarding.isUploadEnded)
      input.removeFirst(count)
    case .chunked:
      var body: [UInt8] = []
      let taken = try forwarding.chunks.take(input[...], into: &body)
      forwarding.isUploadEnded = forwarding.chunks.isEnded
      exchange.give(body[...], isEnd: forwarding.isUploadEnded)
      input.removeFirst(taken)
    }
  }

  private func download(_ forwarding: Forwarding) -> Bool {
    let news = forwarding.exchange.take()
    if let head = news.head { begin(head, forwarding) }
    write(news.bytes, forwarding)
    guard !isOver, let outcome = news.outcome else { return false }
    switch outcome {
    case .success(let reply):
      if !forwarding.isHeadSent {
        begin(reply, forwarding)
        write(reply.body, forwarding)
      }
      guard let answer = forwarding.answer else { return false }
      if case .length(let count) = answer.framing, forwarding.answered != count { break }
      if answer.framing == .chunked { output.append("0\r\n\r\n".utf8) }
      finish(isLast: answer.isLast || !forwarding.isUploadEnded)
      return true
    case .failure(let error):
      guard !forwarding.isHeadSent else { break }
      let hasMore = !forwarding.isUploadEnded
      answer(ErrorAnswer(error, hasMore: hasMore), forwarding.head, isLast: hasMore)
      return true
    }
    breakOff()
    return false
  }

  /// Ends the connection within an answer: so a program learns that it is not whole.
  private func breakOff() {
    output = ByteQueue()
    Sockets.reset(socket)
    end()
  }

  private func begin(_ reply: HTTPReply, _ forwarding: Forwarding) {
    guard !forwarding.isHeadSent else { return }
    let answer = AnswerHead(
      reply, to: forwarding.request.url, for: forwarding.head,
      isLast: context.isEnding || !forwarding.isUploadEnded, remedies: context.remedies)
    forwarding.answer = answer
    output.append(answer.bytes)
  }

  private func write(_ bytes: [UInt8], _ forwarding: Forwarding) {
    guard !bytes.isEmpty, let framing = forwarding.answer?.framing, framing != .none else { return }
    forwarding.answered += bytes.count
    // What is beyond the length would be read as the next answer.
    if case .length(let count) = framing, forwarding.answered > count { return breakOff() }
    if framing == .chunked { output.append("\(String(bytes.count, radix: 16))\r\n".utf8) }
    output.append(bytes)
    if framing == .chunked { output.append("\r\n".utf8) }
  }
}
