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

  /// The same request with a body of at most 1 MiB in memory: it can be sent again, and has a length.
  ///
  /// - Throws: `cancelled`, and what the body's source throws.
  package func withShortBodyInMemory() async throws(GatebookError) -> HTTPRequest {
    guard let source, !source.isLong, source.count ?? 0 <= Self.short else { return self }
    let (bytes, isWhole) = try await source.beginning(Self.short)
    var request = self
    if isWhole {
      request.body = bytes
      request.source = nil
    } else if !source.canRewind {
      request.source = BodySource(bytes, andRestOf: source)
    }
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
    try reply.body.withUnsafeBufferPointer { bytes throws(GatebookError) in
      guard !bytes.isEmpty else { return }
      try sink.take(UnsafeRawBufferPointer(bytes))
    }
    return head
  }

  private static let short = 1 << 20
  private static let mostInMemory = 64 << 20
}
