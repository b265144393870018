internal import GatebookSystem

/// The answer that a browser waits for after it brought a redirect: written once, as soon as
/// somebody knows what became of the login.
final class LoopbackPage: Sendable {
  private let socket: Locked<Int32?>
  /// When it is answered without that knowledge, by ``LoopbackVisit/now()``.
  private let deadline = LoopbackVisit.now() + LoopbackPage.longestWait

  /// The longest time that a browser waits, in milliseconds: a login asks its server in that time.
  private static let longestWait: Int64 = 60_000

  /// Takes over a connection whose request was read.
  init(_ socket: Int32) {
    self.socket = Locked(socket)
  }

  deinit { answer() }

  /// Whether no login waits for it.
  var isAnswered: Bool { socket.withLock { $0 == nil } }

  /// For how many milliseconds the browser still waits.
  var patience: Int32 { Int32(max(0, deadline - LoopbackVisit.now())) }

  /// Answers and closes the connection; does nothing the second time.
  ///
  /// - Parameter text: What became of the login; the usual text says that only the application
  ///   knows.
  func answer(_ text: String = "Return to the application: it shows how the login ended.") {
    let socket = socket.withLock { $0.take() }
    guard let socket else { return }
    LoopbackVisit.write("200 OK", text, to: socket)
    FileDescriptor.close(socket)
  }
}
