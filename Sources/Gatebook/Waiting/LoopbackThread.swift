internal import GatebookSystem

/// The thread that answers a loopback listener's visitors: a browser must not wait for Swift's
/// shared pool, and the pool must not wait for a browser.
final class LoopbackThread: Sendable {
  private let bell: Int32

  /// Begins to answer.
  ///
  /// - Parameters:
  ///   - socket: A listening socket that does not block; closed when the thread ends.
  ///   - path: The only path that is a redirect's.
  ///   - hear: Gets the query of each redirect, with its `?`, and the page that its browser waits
  ///     for.
  /// - Throws: `limit.exceeded` when the machine has no thread or descriptor left; the socket is
  ///   closed then too.
  init(
    _ socket: Int32, path: [UInt8], hear: @escaping @Sendable (String, LoopbackPage) -> Void
  ) throws(GatebookError) {
    guard let pipe = Pipe() else {
      let error = SystemError.last
      FileDescriptor.close(socket)
      throw GatebookError(
        .limitExceeded, "This machine has no free file descriptor to listen for the redirect.",
        kept: "Nothing was sent.", remedy: "End other programs, then try again.",
        cause: error.text)
    }
    bell = pipe.input
    do throws(GatebookError) {
      try PosixThread.detach { Self.run(socket, until: pipe.output, path, hear) }
    } catch {
      for descriptor in [pipe.output, pipe.input, socket] { FileDescriptor.close(descriptor) }
      throw error
    }
  }

  /// Ends the thread and its socket: the end of the pipe wakes it.
  func stop() {
    FileDescriptor.close(bell)
  }

  /// Answers until the bell rings, and closes both descriptors.
  private static func run(
    _ socket: Int32, until bell: Int32, _ path: [UInt8], _ hear: (String, LoopbackPage) -> Void
  ) {
    var visits: [LoopbackVisit] = []
    var pages: [LoopbackPage] = []
    defer {
      for descriptor in visits.map(\.socket) + [socket, bell] { FileDescriptor.close(descriptor) }
      for page in pages { page.answer() }
    }
    while true {
      let patience = (visits.map(\.patience) + pages.map(\.patience)).min()
      let isReady = FileDescriptor.awaitReadable(
        [bell, socket] + visits.map(\.socket), atMost: patience ?? -1)
      guard let isReady else {
        guard SystemError.last == .interrupted else { return }
        continue
      }
      guard !isReady[0] else { return }
      while let visit = LoopbackVisit.next(at: socket) {
        visits.append(visit)
      }
      let isFull = SystemError.last.isOutOfDescriptors
      visits = visits.compactMap { visit in
        var visit = visit
        guard visit.listen() else { return visit }
        guard let (query, page) = visit.redirect(at: path) else { return nil }
        pages.append(page)
        hear(query, page)
        return nil
      }
      // The oldest visitor makes room.
      while visits.count > Self.maximumVisits {
        visits.removeFirst().redirect(at: path)?.page.answer()
      }
      for page in pages.dropLast(Self.maximumVisits) where !page.isAnswered { page.answer() }
      for page in pages where page.patience == 0 { page.answer() }
      pages.removeAll(where: \.isAnswered)
      // Out of descriptors, the visitor stays in the queue: no use in asking again at once.
      if isFull { _ = FileDescriptor.awaitReadable([bell], atMost: 100) }
    }
  }

  /// How many visitors may speak at once, and how many may wait for their page; more than browsers
  /// open.
  private static let maximumVisits = 64
}
