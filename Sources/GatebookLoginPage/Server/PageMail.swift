internal import GatebookSystem

/// What others leave for the thread of a login page: answers, and that it is to end.
final class PageMail: Sendable {
  private struct Content: Sendable {
    var replies: [(number: Int, reply: PageReply)] = []
    var isEnding = false
    var isClosed = false
    /// Who waits for the end of the thread.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Locked(Content())
  private let pipe: Pipe

  /// Becomes readable when something was left.
  var descriptor: Int32 { pipe.output }

  /// Makes an empty one; `nil` when the process has no descriptors left.
  init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
  }

  /// Leaves the answer to a visit.
  func put(_ reply: PageReply, for number: Int) {
    change { $0.replies.append((number, reply)) }
  }

  /// Lets the thread end.
  func end() {
    change { $0.isEnding = true }
  }

  /// Waits until the thread has ended.
  func ended() async {
    await withCheckedContinuation { waiter in
      let isClosed = content.withLock { content in
        if !content.isClosed { content.waiting.append(waiter) }
        return content.isClosed
      }
      if isClosed { waiter.resume() }
    }
  }

  private func change(_ body: (inout Content) -> Void) {
    content.withLock { content in
      guard !content.isClosed else { return }
      body(&content)
      _ = FileDescriptor.write([0], to: pipe.input)
    }
  }

  /// Reads the bytes that made it readable.
  func clear() {
    _ = FileDescriptor.read(pipe.output, atMost: 256)
  }

  /// Takes what was left.
  func take() -> (replies: [(number: Int, reply: PageReply)], isEnding: Bool) {
    content.withLock { content in
      defer { content.replies = [] }
      return (content.replies, content.isEnding)
    }
  }

  /// The thread has ended: nothing more is taken.
  func close() {
    let waiting = content.withLock { content in
      defer { content.waiting = [] }
      content.isClosed = true
      return content.waiting
    }
    for waiter in waiting { waiter.resume() }
    FileDescriptor.close(pipe.input)
    FileDescriptor.close(pipe.output)
  }
}
