internal import GatebookAuthentication
internal import Glibc
internal import Testing

/// A server on loopback that does byte for byte what its script says.
struct RawPeer: Sendable {
  typealias Script = @Sendable (RawConnection) -> Void

  let port: Int
  let journal = Journal()
  private let listener: CInt

  /// Runs a script for every connection while the body runs.
  static func run<Result>(
    _ script: @escaping Script, _ body: (RawPeer) async throws -> Result
  ) async throws -> Result {
    let peer = try RawPeer()
    let (listener, journal) = (peer.listener, peer.journal)
    startThread { Self.accept(listener, journal, script) }
    // Wakes the accepting thread, which closes the listener.
    defer { shutdown(peer.listener, CInt(SHUT_RDWR)) }
    return try await body(peer)
  }

  /// Answers every request of a connection with the same bytes.
  static func answering(_ answer: String) -> Script {
    { connection in
      while connection.readRequest() != nil {
        connection.send(answer)
      }
    }
  }

  private init() throws {
    (listener, port) = try Self.bound()
    try #require(listen(listener, 128) == 0)
  }

  func url(_ path: String = "/", scheme: String = "http") throws -> HTTPURL {
    try #require(HTTPURL("\(scheme)://127.0.0.1:\(port)\(path)"))
  }

  /// A socket that has a port on loopback and does not listen yet.
  fileprivate static func bound() throws -> (descriptor: CInt, port: Int) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    try #require(listener >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> CInt in
      let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      guard let pointer, bind(listener, pointer, size) == 0 else { return -1 }
      return getsockname(listener, pointer, &size)
    }
    try #require(status == 0)
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func accept(_ listener: CInt, _ journal: Journal, _ script: @escaping Script) {
    var index = 0
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      let connection = RawConnection(index: index, descriptor: descriptor, journal: journal)
      journal.note(.accepted(connection: index))
      index += 1
      startThread {
        script(connection)
        close(connection.descriptor)
      }
    }
    close(listener)
  }
}

/// Hands out a port on loopback where nobody listens, and keeps others from taking it meanwhile.
func withClosedPort<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
  let (descriptor, port) = try RawPeer.bound()
  defer { close(descriptor) }
  return try await body(port)
}

/// Runs a block on a thread of its own, so that it may wait for a socket.
func startThread(_ block: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let block: @Sendable () -> Void
    init(_ block: @escaping @Sendable () -> Void) { self.block = block }
  }
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { context in
      if let context {
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().block()
      }
      return nil
    }, Unmanaged.passRetained(Box(block)).toOpaque())
  precondition(status == 0)
  pthread_detach(thread)
}
