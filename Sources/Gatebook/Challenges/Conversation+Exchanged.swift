extension Conversation {
  /// A reply, and what it says of the session where a credential could tell.
  struct Exchanged: Sendable {
    /// The request as it was sent.
    let sent: HTTPRequest
    let reply: HTTPReply
    let verdict: SessionVerdict?

    /// What it has shown and given of credentials; what an app says in a body or a query is none.
    var credentials: SentSecrets {
      var sentSecrets = SentSecrets()
      let url = HTTPURL(sent.url.withoutQuery) ?? sent.url
      sentSecrets.note(HTTPRequest(sent.method, url, fields: sent.fields), reply)
      return sentSecrets
    }
  }

  /// The request with its body in memory.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delivery: Whether the server may have seen it.
  /// - Returns: The request.
  /// - Throws: Why its body could not be read.
  func inMemory(
    _ request: HTTPRequest, _ delivery: TransportFailure.Delivery
  ) async throws(TransportFailure) -> HTTPRequest {
    do throws(GatebookError) {
      return try await request.withBodyInMemory(host.effects.clock)
    } catch {
      throw TransportFailure(error, delivery: delivery)
    }
  }
}
