package import GatebookEvents

/// One cookie of a jar (RFC 6265 section 5.3).
package struct Cookie: Hashable, Sendable, CustomStringConvertible {
  /// The `SameSite` attribute; kept and told, without effect: an account has one site.
  package enum SameSite: String, Sendable {
    case strict
    case lax
    case none
  }

  /// The name, never empty.
  package let name: String
  /// The value, a secret.
  package let value: String
  /// The host, or the domain whose hosts all get the cookie; lower case.
  package let domain: String
  /// Where the cookie is sent: this path and those below it.
  package let path: String
  /// When it ends; `nil` for with the session.
  package let expires: Timestamp?
  /// Whether only the host that set it gets it.
  package let isHostOnly: Bool
  /// Whether it is sent over https only.
  package let isSecure: Bool
  /// Whether scripts in a browser may not see it.
  package let isHTTPOnly: Bool
  /// The `SameSite` attribute, if it is a known one.
  package let sameSite: SameSite?
  /// Counts up in the jar: lower was created earlier.
  ///
  /// A count, not a time: a clock that jumps does not change the order.
  package internal(set) var created: Int64 = 0
  /// Counts up in the jar: lower was given its present content earlier.
  package internal(set) var changed: Int64 = 0

  /// The name alone: a value never gets into a text by accident.
  package var description: String { "cookie \(name)" }

  /// Whether both are one cookie: same name, domain and path, byte by byte (section 5.3 step 11).
  func replaces(_ other: Cookie) -> Bool {
    name.utf8.elementsEqual(other.name.utf8) && domain == other.domain
      && path.utf8.elementsEqual(other.path.utf8)
  }

  /// Whether both say the same, serial numbers aside.
  func hasContent(of other: Cookie) -> Bool {
    var twin = self
    twin.created = other.created
    twin.changed = other.changed
    // Swift's texts are equal in any Unicode form, a server's are not.
    return twin == other && value.utf8.elementsEqual(other.value.utf8) && replaces(other)
  }

  /// Whether it has ended; a cookie's last moment is before its expiry.
  func isExpired(at now: Timestamp) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// Whether it is sent with a request (section 5.4 step 1).
  ///
  /// Secure means https: a loopback host without TLS does not count as secure.
  func isSent(to url: HTTPURL) -> Bool {
    let isOfHost =
      isHostOnly ? url.origin.host == domain : CookieScope.host(url.origin, matches: domain)
    return isOfHost && CookieScope.path(url.path, matches: path)
      && (!isSecure || url.origin.isSecure)
  }
}
