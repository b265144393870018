package import GatebookEvents

extension HTTPRequest {
  /// Whether it can be sent now: a body that can be read only once was not read yet.
  package var canBeSent: Bool { source?.canStart ?? true }

  /// The same request with its body in memory, for who must read it before it is sent.
  ///
  /// - Throws: `limit.exceeded` for a body of more than 64 MiB, and what its source throws.
  package func withBodyInMemory() async throws(GatebookError) -> HTTPRequest {
    guard let source else { return self }
    var request = self
    request.body = try await source.bytes(limit: Self.mostInMemory)
    request.source = nil
    return request
  }

  /// Hands a body that is still in memory to the request's sink.
  ///
  /// - Parameter reply: The answer.
  /// - Returns: The answer without the body that the sink has taken.
  /// - Throws: What the sink throws.
  package func handingOver(_ reply: HTTPReply) throws(GatebookError) -> HTTPReply {
    guard let sink, !reply.isStreamed, BodySink.takes(reply.status) else { return reply }
    var head = reply
    head.body = []
    head.isStreamed = true
    try sink.start(head)
    var failure: GatebookError?
    reply.body.withUnsafeBytes { bytes in
      guard !bytes.isEmpty else { return }
      do throws(GatebookError) { try sink.take(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    return head
  }

  private static let mostInMemory = 64 << 20
}
