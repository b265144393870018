public import GatebookEvents

/// The cookies of one account, by RFC 6265.
///
/// A value: the book keeps it sealed, machines carry it through a login.
public struct CookieJar: Hashable, Sendable {
  /// Makes an empty jar.
  public init() {}

  /// Reads what `record` wrote; `nil` for anything else.
  public init?(record: Facts) {
    nil
  }

  /// All cookies with their values, for the vault.
  public var record: Facts { [:] }

  /// Whether there is no cookie.
  public var isEmpty: Bool { true }

  /// Takes the `Set-Cookie` fields of an answer, in their order, and drops what has expired.
  ///
  /// - Parameters:
  ///   - reply: The answer, a redirect included.
  ///   - url: The URL that was asked.
  ///   - now: When the answer came.
  ///   - suffixes: Public suffixes; without a list a `Domain` must equal the host.
  /// - Returns: Whether anything changed.
  public mutating func receive(
    _ reply: HTTPReply, from url: HTTPURL, at now: Timestamp, suffixes: (any PublicSuffixes)?
  ) -> Bool {
    false
  }

  /// The value of the `Cookie` field for a request, longer paths first, then older cookies; `nil`
  /// when no cookie fits.
  public func header(for url: HTTPURL, at now: Timestamp) -> String? {
    nil
  }
}
