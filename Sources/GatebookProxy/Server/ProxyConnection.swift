internal import Gatebook
internal import GatebookSystem

/// One connection of a program: reads its requests one after the other, and writes their answers.
///
/// Lives on the proxy's thread only, and never waits.
final class ProxyConnection {
  let socket: Int32
  /// The program; at a port it is looked for once, at its first request or refusal.
  private(set) lazy var program = known ?? context.program(at: socket)
  private let known: AskingProgram?
  let context: ProxyContext
  /// What came and was not taken apart yet.
  var input: [UInt8] = []
  /// What waits to be written.
  var output = ByteQueue()
  var phase = Phase.head(HeadScan())
  /// Whether the program sends no more.
  var isInputEnded = false
  /// Since when the program is known to send no more while its request is under way.
  private var sendingEnd: Duration?
  /// Whether it is over: the loop closes it.
  private(set) var isOver = false
  /// Since when nothing has moved that had to; see ``check(at:)``.
  var lastMove: Duration
  /// What the loop waits for now.
  var awaited: Readiness.Events = [.readable]

  /// What the connection is at.
  enum Phase {
    /// Between requests, or within a header.
    case head(HeadScan)
    /// A short body comes, before anything is sent to the server.
    case gathering(Forwarding, length: Int)
    /// The request waits until fewer are at the server.
    case waiting(Forwarding)
    /// The request is at the server.
    case forwarding(Forwarding)
    /// The last answer is written; what still comes is read and dropped, so that the program gets
    /// the answer.
    case lingering
  }

  init(_ socket: Int32, _ program: AskingProgram?, _ context: ProxyContext, at now: Duration) {
    self.socket = socket
    known = program
    self.context = context
    lastMove = now
  }

  /// Whether nothing of a request has come.
  var isIdle: Bool {
    if case .head(let scan) = phase {
      !scan.hasBegun && input.isEmpty && output.count == 0
    } else {
      false
    }
  }

  /// What is to be waited for.
  var wanted: Readiness.Events {
    var events: Readiness.Events = output.count > 0 ? [.writable] : []
    if !isInputEnded, wantsInput { events.insert(.readable) }
    if !isInputEnded, sendingEnd == nil, !isBeforeServer { events.insert(.sendingEnded) }
    return events
  }

  /// Whether more may come: never more than a window is kept.
  private var wantsInput: Bool {
    switch phase {
    case .head: output.count == 0
    case .gathering, .lingering: true
    case .waiting: false
    case .forwarding(let forwarding):
      !forwarding.isUploadEnded && input.isEmpty && forwarding.exchange.room > 0
    }
  }

  /// Reads what has come, once.
  func read(_ buffer: inout [UInt8], at now: Duration) {
    let count = Sockets.receive(socket, &buffer, waits: false)
    if count < 0 {
      if ![.wouldBlock, .interrupted].contains(SystemError.last) { end() }
      return
    }
    guard count > 0 else {
      isInputEnded = true
      sendingHasEnded(at: now)
      return takeEnd()
    }
    if case .lingering = phase { return }
    // The time of a header and a short body runs from the first byte, whatever else comes of it.
    switch phase {
    case .gathering: break
    case .head(let scan) where scan.hasBegun: break
    default: lastMove = now
    }
    input += buffer[..<count]
  }

  /// The program sends no more: it waits to be answered, or has gone.
  func sendingHasEnded(at now: Duration) { sendingEnd = sendingEnd ?? now }

  private func takeEnd() {
    switch phase {
    case .head, .gathering, .lingering: end()
    case .waiting: break
    case .forwarding(let forwarding): if !forwarding.isUploadEnded { end() }
    }
  }

  /// Writes what the socket takes.
  func write(at now: Duration) {
    while output.count > 0 {
      let count = Sockets.offer(output.rest, to: socket)
      guard count > 0 else {
        if ![.wouldBlock, .interrupted].contains(SystemError.last) { end() }
        return
      }
      output.drop(count)
      lastMove = now
    }
  }

  /// Ends it at once: what is under way is given up.
  func end() {
    guard !isOver else { return }
    isOver = true
    if let forwarding { forwarding.exchange.abandon() }
  }

  /// The request under way.
  var forwarding: Forwarding? {
    switch phase {
    case .gathering(let forwarding, _), .waiting(let forwarding), .forwarding(let forwarding):
      forwarding
    case .head, .lingering: nil
    }
  }

  /// Ends what takes too long.
  func check(at now: Duration) {
    let limits = context.limits
    let passed = now - lastMove
    if output.count > 0 {
      // The program does not read its answer.
      if passed >= limits.pause { end() }
      return
    }
    switch phase {
    case .head(let scan):
      if scan.hasBegun || !input.isEmpty {
        if passed >= limits.head { refuse(.slow, nil) }
      } else if passed >= limits.idle {
        end()
      }
    case .gathering: if passed >= limits.pause { refuse(.slow, nil) }
    case .forwarding(let forwarding):
      if let sendingEnd, forwarding.isUploadEnded {
        let limit = forwarding.isHeadSent ? limits.pause : limits.hangUp
        if now - max(sendingEnd, lastMove) >= limit { end() }
        return
      }
      // Who was not asked for a body yet is not late with it.
      guard wantsInput, !isInputEnded, forwarding.exchange.isUploadWanted || !forwarding.isAsked
      else { return }
      if passed >= limits.pause, !forwarding.isHeadSent {
        forwarding.exchange.abandon()
        refuse(.slow, nil)
      } else if passed >= limits.pause {
        end()
      }
    case .lingering: if passed >= Self.lingering { end() }
    case .waiting: if let sendingEnd, now - sendingEnd >= limits.hangUp { end() }
    }
  }

  /// How long a program has to read its last answer.
  static let lingering = Duration.seconds(2)

  /// Whether no request of it waits for the server or its answer.
  var isBeforeServer: Bool {
    switch phase {
    case .head, .gathering: true
    case .waiting, .forwarding, .lingering: false
    }
  }

  /// Ends what is not a whole request yet: the proxy takes nothing more.
  func endUnsent() {
    switch phase {
    case .head where isIdle: end()
    case .head(let scan) where !scan.hasBegun && input.isEmpty: finish(isLast: true)
    case .head: answer(ErrorAnswer(Self.ending), nil, isLast: true)
    case .gathering(let forwarding, _):
      answer(ErrorAnswer(Self.ending), forwarding.head, isLast: true)
    case .waiting, .forwarding, .lingering: break
    }
  }

  private static let ending = GatebookError(
    .cancelled, "The proxy is ending.", kept: "Nothing was sent to the server.",
    remedy: "Start the proxy again, then repeat the request.")

  /// Answers a request that is not forwarded.
  func refuse(_ refusal: ProxyRefusal, _ head: RequestHead?, isLast: Bool = true) {
    context.refused(refusal, program)
    answer(ErrorAnswer(refusal), head, isLast: isLast || !refusal.keepsConnection)
  }

  /// Writes an answer of the proxy's own.
  func answer(_ error: ErrorAnswer, _ head: RequestHead?, isLast: Bool) {
    let begin = AnswerHead(error, for: head, isLast: isLast)
    output.append(begin.bytes)
    if begin.framing != .none { output.append(error.body) }
    finish(isLast: begin.isLast)
  }

  /// Begins the next request, or the end.
  func finish(isLast: Bool) {
    lastMove = context.clock.now().boot
    if let forwarding { context.ended(forwarding) }
    guard isLast || context.isEnding else {
      phase = .head(HeadScan())
      return
    }
    input = []
    phase = .lingering
  }
}
