public import FoundationEssentials
public import Gatebook

extension SessionBook {
  /// Sends an app's request as an account, and decodes the JSON answer.
  ///
  /// ```swift
  /// struct Item: Codable { var name: String; var price: Double }
  /// let items = try await book.send(.get(url), as: ada.account, decoding: [Item].self)
  /// ```
  ///
  /// The status is checked before the body, so an error page is never decoded.
  ///
  /// - Parameters:
  ///   - request: The request; its URL must be of one of the account's own origins.
  ///   - account: The account; `nil` means the current one.
  ///   - type: The type to decode.
  ///   - decoder: How it is read, such as the form of dates.
  /// - Returns: The decoded value.
  /// - Throws: What `send(_:as:)` throws; for a status other than 2xx `session.refused`,
  ///   `server.refused`, `server.moved`, `server.unavailable` or `configuration.invalid`; for a
  ///   body that does not fit `content.unexpected`, which names the place and no value.
  public nonisolated(nonsending) func send<Value: Decodable>(
    _ request: HTTPRequest, as account: AccountID? = nil, decoding type: Value.Type,
    decoder: JSONDecoder = JSONDecoder()
  ) async throws(GatebookError) -> Value {
    let sender = if let account { account } else { try await currentContext()?.account }
    let reply = try await send(request, as: sender)
    // A 401 is the session's end only where the session says so; else it is this resource's alone.
    let context =
      if let sender { try await self.context(of: sender) } else { try await currentContext() }
    if let failure = reply.failure(
      at: request.url, isSessionUsable: context?.state.isUsable ?? false)
    {
      throw failure
    }
    return try reply.decoded(as: type, decoder: decoder)
  }
}
