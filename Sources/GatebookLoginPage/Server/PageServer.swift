internal import Gatebook
internal import GatebookSystem

/// The HTTP server of a login page, on a free port of 127.0.0.1.
///
/// It has a thread of its own: a browser must not wait for Swift's shared pool, and the pool must
/// not wait for a browser.
final class PageServer: Sendable {
  /// Its port.
  let port: UInt16
  private let mail: PageMail

  /// Starts to listen.
  ///
  /// - Parameter handle: Makes the answer to a request.
  /// - Throws: `limit.exceeded` when the machine has no port, thread or descriptor left.
  init(
    _ handle: @escaping @Sendable (PageRequest) async -> PageReply
  ) throws(GatebookError) {
    guard let (socket, port) = Sockets.listen(isIPv6: false, port: 0) else {
      throw Self.exhausted(.last)
    }
    guard let mail = PageMail(), let readiness = Readiness() else {
      let error = SystemError.last
      FileDescriptor.close(socket)
      throw Self.exhausted(error)
    }
    self.port = port
    self.mail = mail
    // Before anybody knows the port: the only connection is this one.
    let canTell = Self.tellsOwners(socket, port)
    do throws(GatebookError) {
      try PosixThread.detach {
        PageLoop(socket, mail, readiness, canTell: canTell, handle).run()
      }
    } catch {
      FileDescriptor.close(socket)
      mail.close()
      throw error
    }
  }

  /// Closes the port, once what was asked before has its answer; does nothing the second time.
  func stop() { mail.end() }

  /// Waits until the port is closed.
  func stopped() async { await mail.ended() }

  deinit { mail.end() }

  /// Whether this system tells whose a connection is.
  private static func tellsOwners(_ listener: Int32, _ port: UInt16) -> Bool {
    guard let own = Sockets.connected(to: port, waitingAtMost: 1) else { return false }
    defer { FileDescriptor.close(own) }
    guard let accepted = Sockets.accept(listener) else { return false }
    defer { FileDescriptor.close(accepted) }
    var processes = ConnectedProcesses()
    return processes.owner(of: accepted) != nil
  }

  private static func exhausted(_ error: SystemError) -> GatebookError {
    GatebookError(
      .limitExceeded, "This machine has no free port or file descriptor for the login page.",
      kept: "Nothing was sent.", remedy: "End other programs, then try again.", cause: error.text)
  }
}
