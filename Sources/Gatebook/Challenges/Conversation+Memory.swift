extension Conversation {
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
      return try await request.withBodyInMemory()
    } catch {
      throw TransportFailure(error, delivery: delivery)
    }
  }
}
