extension Conversation {
  /// The request with its body in memory; what keeps it from that has sent nothing.
  func inMemory(
    _ request: HTTPRequest
  ) async throws(TransportFailure) -> HTTPRequest {
    do throws(GatebookError) {
      return try await request.withBodyInMemory()
    } catch {
      throw TransportFailure(error, delivery: .notSent)
    }
  }
}
