public import Gatebook
internal import GatebookThreads

extension LoopbackServer {
  /// Makes a server that gives these answers in order, whatever is asked; then 500.
  ///
  /// - Parameter replies: The answers.
  /// - Throws: `configuration.invalid` when no port is free.
  public convenience init(replies: [LoopbackReply]) throws(GatebookError) {
    let rest = Guarded(replies[...])
    try self.init { _ in
      rest.withLock { $0.popFirst() } ?? .text("The script has no more answers.\n", status: 500)
    }
  }
}
