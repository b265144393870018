internal import Glibc

/// The thread that answers a loopback listener's visitors: a browser must not wait for Swift's
/// shared pool, and the pool must not wait for a browser.
final class LoopbackThread: Sendable {
  /// What the thread works with; it closes both descriptors.
  private struct Work: Sendable {
    let socket: Int32
    let bell: Int32
    let path: [UInt8]
    let hear: @Sendable (String) -> Void
  }

  private let bell: Int32

  /// Begins to answer.
  ///
  /// - Parameters:
  ///   - socket: A listening socket that does not block; closed when the thread ends.
  ///   - path: The only path that is a redirect's.
  ///   - hear: Gets the query of each redirect, with its `?`.
  /// - Throws: `limit.exceeded` when the machine has no thread or descriptor left.
  init(
    _ socket: Int32, path: [UInt8], hear: @escaping @Sendable (String) -> Void
  ) throws(GatebookError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      let code = errno
      close(socket)
      throw Self.refusal(code)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell = ends[1]
    let box = Unmanaged.passRetained(
      Box(Work(socket: socket, bell: ends[0], path: path, hear: hear)))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { LoopbackThread.run(Unmanaged<Box>.fromOpaque(argument)) }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      for descriptor in ends + [socket] { close(descriptor) }
      throw Self.refusal(status)
    }
    pthread_detach(thread)
  }

  /// Ends the thread and its socket: the end of the pipe wakes it.
  func stop() {
    close(bell)
  }

  private static func refusal(_ code: Int32) -> GatebookError {
    GatebookError(
      .limitExceeded, "The machine has no thread left to listen on.", kept: "Nothing was sent.",
      remedy: "End other programs, then try again.", cause: String(cString: strerror(code)))
  }

  private final class Box: Sendable {
    let work: Work

    init(_ work: Work) {
      self.work = work
    }
  }

  private static func run(_ box: Unmanaged<Box>) {
    let work = box.takeRetainedValue().work
    defer {
      close(work.socket)
      close(work.bell)
    }
    while true {
      var waiting = [
        pollfd(fd: work.socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: work.bell, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waiting, 2, -1) < 0 {
        guard errno == EINTR else { return }
        continue
      }
      guard waiting[1].revents == 0 else { return }
      while let visit = LoopbackVisit.next(at: work.socket) {
        if let query = visit.answer(for: work.path) { work.hear(query) }
      }
      // Out of descriptors, the visitor stays in the queue: no use in asking again at once.
      if errno == EMFILE || errno == ENFILE { _ = poll(&waiting[1], 1, 100) }
    }
  }
}
