extension SessionBook {
  /// Sends a request of the app with an account's authority, and decodes the JSON of the answer.
  ///
  /// The status is looked at before the body: an error page is never taken for a broken document.
  /// Numbers keep their full width; one that does not fit its type is an error.
  ///
  /// - Parameters:
  ///   - request: The request; its URL must be of one of the account's own origins.
  ///   - account: The account; `nil` means the current one.
  ///   - type: What the answer is to become.
  /// - Returns: The decoded value.
  /// - Throws: What ``send(_:as:)`` throws; for a status other than 2xx `session.refused`,
  ///   `server.refused`, `server.moved`, `server.unavailable` or `configuration.invalid`; for a body
  ///   that does not fit `content.unexpected`, which names the place and no value.
  public func send<Value: Decodable & Sendable>(
    _ request: HTTPRequest, as account: AccountID? = nil, decoding type: Value.Type
  ) async throws(GatebookError) -> Value {
    let account = if let account { account } else { try requireCurrent() }
    let reply = try await send(request, as: account)
    // A 401 is the session's end only where the session says so; else it is this resource's alone.
    let isUsable = try context(of: account).state.isUsable
    if let failure = reply.failure(at: request.url, isSessionUsable: isUsable) { throw failure }
    guard let document = JSONDocument.read(reply.body, maximumSize: request.limits.body) else {
      throw .notJSON(reply)
    }
    do {
      return try Value(from: FactDecoder(document))
    } catch {
      throw .undecodable(error, reply)
    }
  }
}
