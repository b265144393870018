extension SessionBook {
  /// Sends an app's request as an account, and decodes the JSON answer.
  ///
  /// The status is checked before the body, so an error page is never decoded. Numbers keep their full
  /// precision; one that does not fit its type is an error.
  ///
  /// - Parameters:
  ///   - request: The request; its URL must be of one of the account's own origins.
  ///   - account: The account; `nil` means the current one.
  ///   - type: The type to decode.
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
