/// An absolute `http` or `https` URL, read strictly: what Gatebook checks is what the server gets.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
  /// The server.
  public let origin: Origin
  /// The path as sent; at least `/`.
  public let path: String
  /// The query as sent, without its `?`; `nil` when there is none.
  public let query: String?

  /// Reads a URL; `nil` for another scheme, user information, control characters, blanks,
  /// backslashes or an invalid host or port.
  ///
  /// A fragment is dropped: it never goes on the wire.
  public init?(_ text: some StringProtocol) {
    nil
  }

  /// The URL as text.
  public var description: String { "" }
}
