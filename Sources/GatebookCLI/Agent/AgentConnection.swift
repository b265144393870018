internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// Why an agent gave no answer.
enum AgentFailure: Error, Equatable {
  /// Nobody of this user serves there, or not in time, or the connection broke off.
  case none
  /// It does not take the request: it serves another book, or is of another version.
  case refused
  /// The process was cancelled.
  case cancelled
}

/// How long a process waits for an agent.
struct AgentPatience {
  /// Until the agent has taken the request: as long as one that was stopped holds a process up.
  var confirmation = Duration.seconds(1)
  /// Between two signs of life, of which a working agent gives two each second.
  var silence = Duration.seconds(3)
}

/// One request to an agent over its socket, which waits for each byte itself.
///
/// The body is sent after the agent has confirmed the header (RFC 9110 section 10.1.1): what is in
/// it never reaches one that is stopped, or of another version. The answer is JSON, a line for each
/// sign of life, with the result as the last one.
final class AgentConnection {
  private let socket: Int32
  private var received: [UInt8] = []

  /// Connects, if an agent of this user listens.
  init(to path: String) throws(AgentFailure) {
    guard let socket = LocalSocket.connected(to: path, waits: false) else { throw .none }
    self.socket = socket
    guard LocalSocket.peer(of: socket)?.isOwn == true else { throw .none }
  }

  deinit { FileDescriptor.close(socket) }

  /// Asks, and waits for the result.
  ///
  /// - Parameters:
  ///   - path: What is asked for.
  ///   - body: JSON.
  ///   - patience: How long it may take.
  /// - Returns: The result.
  /// - Throws: `AgentFailure`.
  func post(
    _ path: String, _ body: [UInt8], _ patience: AgentPatience
  ) throws(AgentFailure) -> Facts {
    let head =
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "\(AgentProtocol.versionField): \(AgentProtocol.version)\r\nContent-Length: \(body.count)\r\n"
      + "Expect: 100-continue\r\nConnection: close\r\n\r\n"
    try send(Array(head.utf8), within: patience.confirmation)
    var number = try status(within: patience.confirmation)
    if number == 100 {
      try send(body, within: patience.confirmation)
      number = try status(within: patience.confirmation)
    }
    guard number == 200 else { throw .refused }
    return try result(patience.silence)
  }

  /// Asks for what is there already.
  ///
  /// - Parameters:
  ///   - path: What is asked for.
  ///   - patience: How long it may take.
  /// - Returns: The answer.
  /// - Throws: `AgentFailure`.
  func get(_ path: String, _ patience: AgentPatience) throws(AgentFailure) -> Facts {
    let head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try send(Array(head.utf8), within: patience.confirmation)
    guard try status(within: patience.confirmation) == 200 else { throw .refused }
    return try result(patience.silence)
  }

  private func send(_ bytes: [UInt8], within limit: Duration) throws(AgentFailure) {
    let end = Self.now + limit
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Sockets.offer(rest, to: socket)
      if count > 0 { rest = rest.dropFirst(count) }
      guard count <= 0 else { continue }
      guard [.wouldBlock, .interrupted].contains(SystemError.last), Self.now < end else {
        throw .none
      }
      guard !Task.isCancelled else { throw .cancelled }
      FileDescriptor.awaitWritable(socket, atMost: Self.step)
    }
  }

  /// The status of the next header.
  private func status(within limit: Duration) throws(AgentFailure) -> Int {
    let end = Self.now + limit
    while true {
      if let range = received.firstRange(of: "\r\n\r\n") {
        let line = received.prefix { $0 != 0x0D }.split(separator: 0x20)
        received.removeFirst(range.upperBound)
        guard line.count > 1, let status = Int(String(decoding: line[1], as: UTF8.self)) else {
          throw .none
        }
        return status
      }
      guard received.count < Self.longestHead else { throw .none }
      try receive(until: end)
    }
  }

  /// The last line of the answer; each line says that the agent works.
  private func result(_ silence: Duration) throws(AgentFailure) -> Facts {
    var chunks = ChunkReader()
    var lines: [UInt8] = []
    while true {
      let isEnded = Self.take(&received, &lines, by: &chunks)
      while let end = lines.firstIndex(of: 0x0A) {
        let line = Array(lines[..<end])
        lines.removeFirst(end + 1)
        guard let facts = JSONDocument.read(line, maximumSize: Self.longestLine)?.object else {
          throw .none
        }
        if !facts.isEmpty { return facts }
      }
      guard isEnded == false, lines.count < Self.longestLine else { throw .none }
      try receive(until: Self.now + silence)
    }
  }

  /// - Returns: Whether the body has ended; `nil` for what is no body.
  private static func take(
    _ received: inout [UInt8], _ body: inout [UInt8], by chunks: inout ChunkReader
  ) -> Bool? {
    guard let count = try? chunks.take(received[...], into: &body) else { return nil }
    received.removeFirst(count)
    return chunks.isEnded
  }

  private func receive(until end: Duration) throws(AgentFailure) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = Sockets.receive(socket, &buffer, waits: false)
      if count > 0 {
        received += buffer[..<count]
        return
      }
      guard count < 0, [.wouldBlock, .interrupted].contains(SystemError.last) else { throw .none }
      guard !Task.isCancelled else { throw .cancelled }
      guard Self.now < end else { throw .none }
      _ = FileDescriptor.awaitReadable([socket], atMost: Self.step)
    }
  }

  /// How often it is looked whether the process was cancelled, in milliseconds.
  private static let step: Int32 = 100
  private static let longestHead = 16 << 10
  private static let longestLine = 16 << 20

  private static var now: Duration { .microseconds(SystemTime.monotonic) }
}

/// What both sides of the agent's socket must agree on.
enum AgentProtocol {
  static let versionField = "Gatebook-Version"
  /// Another version may know other options: its calls are not taken.
  static let version = CommandTable.version
}
