internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// One connection to the login page's port: one request, one answer.
struct PageVisit {
  /// What comes next.
  enum Stage {
    /// The request is read.
    case reading
    /// The answer is being made.
    case waiting
    /// The answer is sent; what is left of it.
    case writing(ArraySlice<UInt8>)
    /// The answer was sent; the browser closes the connection.
    case closing
    /// It is over.
    case over
  }

  /// What has become of the request.
  enum Reading {
    /// More must come.
    case incomplete
    /// It is whole.
    case whole(RequestHead, body: [UInt8])
    /// It is not HTTP/1.1 by its grammar, too large, or has no clear end.
    case malformed(status: Int)
    /// The other side has gone.
    case gone
  }

  /// The connection, which does not block.
  let socket: Int32
  /// Counts the visits: a socket's number is used again.
  let number: Int
  /// What comes next.
  private(set) var stage = Stage.reading
  /// When it ends unless it has moved on, in milliseconds of ``now()``.
  private(set) var deadline: Int64
  private var bytes: [UInt8] = []
  private var scan = HeadScan()
  private var head: (value: RequestHead, size: Int, body: Int)?

  /// How long a request may take to come, and an answer to be taken: milliseconds.
  private static let longestStep: Int64 = 10_000
  /// How long the browser may take to close the connection: milliseconds.
  private static let longestClosing: Int64 = 1000

  init(_ socket: Int32, number: Int) {
    self.socket = socket
    self.number = number
    deadline = Self.now() + Self.longestStep
  }

  /// Milliseconds on a clock that never jumps.
  static func now() -> Int64 { SystemTime.monotonic / 1000 }

  /// Whether it is over.
  var isOver: Bool { if case .over = stage { true } else { false } }

  /// Whether its answer is being made, or is not sent yet.
  var isUnderWay: Bool {
    switch stage {
    case .waiting, .writing: true
    case .reading, .closing, .over: false
    }
  }

  /// What to wait for on the connection.
  var events: Readiness.Events {
    switch stage {
    case .reading, .closing: [.readable]
    case .waiting: []
    case .writing: [.writable]
    case .over: []
    }
  }

  /// Reads what has come.
  mutating func read() -> Reading {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let size = Sockets.receive(socket, &chunk, waits: false)
      if size < 0, SystemError.last == .interrupted { continue }
      if size < 0, SystemError.last == .wouldBlock { return .incomplete }
      guard size > 0 else { return .gone }
      // Only the request itself is wanted after it.
      if case .closing = stage { continue }
      bytes.append(contentsOf: chunk[..<size])
      do throws(ProxyRefusal) {
        if let request = try whole() { return request }
      } catch {
        return .malformed(status: error.status)
      }
    }
  }

  /// The request, once it is whole.
  private mutating func whole() throws(ProxyRefusal) -> Reading? {
    if head == nil, let size = try scan.next(bytes) {
      let value = try RequestHead(bytes[..<size])
      switch try BodyFraming(value) {
      case .none: head = (value, size, 0)
      case .length(let count): head = (value, size, count)
      case .chunked: throw .framing
      }
    }
    guard let head else { return nil }
    guard head.body <= PageRequest.longestBody else { return .malformed(status: 413) }
    guard bytes.count >= head.size + head.body else { return nil }
    let body = Array(bytes[head.size..<(head.size + head.body)])
    bytes = []
    return .whole(head.value, body: body)
  }

  /// The request was handed over.
  mutating func wait() {
    stage = .waiting
    deadline = .max
  }

  /// The page ends: an answer that is being made is worth a moment, because it may be the last
  /// screen.
  mutating func hurry() {
    if case .waiting = stage { deadline = min(deadline, Self.now() + Self.longestClosing) }
  }

  /// Begins to send an answer.
  mutating func answer(_ reply: PageReply) {
    let isForHead = head?.value.method == "HEAD"
    stage = .writing((isForHead ? reply.head : reply.bytes)[...])
    deadline = Self.now() + Self.longestStep
    write()
  }

  /// Sends as much as the connection takes.
  mutating func write() {
    guard case .writing(var left) = stage else { return }
    while !left.isEmpty {
      let count = Sockets.offer(left, to: socket)
      guard count > 0 else {
        stage = SystemError.last == .wouldBlock ? .writing(left) : .over
        return
      }
      left = left.dropFirst(count)
    }
    Sockets.endSending(socket)
    // Closed at once, what the browser still sends would make the system reset the connection.
    stage = .closing
    deadline = Self.now() + Self.longestClosing
  }

  /// Ends it.
  mutating func end() { stage = .over }
}
