package import GatebookEvents

/// The cookies of one account, by RFC 6265.
///
/// A value: the book keeps it sealed, machines carry it through a login. Only servers put cookies
/// in. Beyond RFC 6265, from its successor (6265bis): the prefixes `__Secure-` and `__Host-`, no
/// Secure cookie from http, limits of size. An empty value is a value: it is kept and sent (RFC 6265
/// sections 5.2 to 5.4).
package struct CookieJar: Hashable, Sendable, CustomStringConvertible {
  /// The most `Set-Cookie` fields of one answer that are looked at.
  static let maximumFields = 64
  /// The most cookies that a jar keeps.
  static let maximumCount = 180

  /// In the order of their creation.
  var cookies: [Cookie] = []
  /// The next serial number for `Cookie.created` and `Cookie.changed`.
  var serial: Int64 = 1

  /// Makes an empty jar.
  package init() {}

  /// Whether there is no cookie.
  package var isEmpty: Bool { cookies.isEmpty }

  /// How many cookies there are, no names and no values.
  package var description: String { "cookie jar (\(cookies.count))" }

  /// Takes the `Set-Cookie` fields of an answer, in their order, and drops what has expired.
  ///
  /// Only the first 64 fields count. Above 180 cookies some go, see `evict`.
  ///
  /// - Parameters:
  ///   - reply: The answer, a redirect included.
  ///   - url: The URL that was asked.
  ///   - now: When the answer came.
  ///   - suffixes: Public suffixes; without a list a `Domain` must equal the host.
  /// - Returns: Whether anything changed.
  package mutating func receive(
    _ reply: HTTPReply, from url: HTTPURL, at now: Timestamp, suffixes: (any PublicSuffixes)?
  ) -> Bool {
    let before = cookies
    cookies.removeAll { $0.isExpired(at: now) }
    for text in reply.fields.values(of: "Set-Cookie").prefix(Self.maximumFields) {
      guard let field = SetCookie(text),
        let cookie = Cookie(field, from: url, at: now, suffixes: suffixes)
      else { continue }
      store(cookie, isFromSecure: url.origin.isSecure, at: now)
    }
    evict()
    return cookies != before
  }

  /// The value of the `Cookie` field for a request, longer paths first, then older cookies; `nil`
  /// when no cookie fits.
  package func header(for url: HTTPURL, at now: Timestamp) -> String? {
    let pairs = cookies(for: url, at: now).map { "\($0.name)=\($0.value)" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// The cookies that are sent with a request, in the order in which they are sent.
  package func cookies(for url: HTTPURL, at now: Timestamp) -> [Cookie] {
    // Sorting by path alone would not do: the order of the array need not be stable.
    cookies.filter { !$0.isExpired(at: now) && $0.isSent(to: url) }.sorted {
      ($1.path.utf8.count, $0.created) < ($0.path.utf8.count, $1.created)
    }
  }
}
