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

/// Which hosts and paths a cookie belongs to (RFC 6265 section 5.1.3 and 5.1.4).
enum CookieScope {
  /// Whether a host lies in a domain: it is the domain, or a name that ends with a dot and the
  /// domain.
  ///
  /// An address lies in no domain but itself.
  static func host(_ origin: Origin, matches domain: String) -> Bool {
    origin.host == domain || (origin.host.hasSuffix(".\(domain)") && !origin.isIPAddress)
  }

  /// Whether a request's path lies at or below a cookie's path.
  static func path(_ path: String, matches cookie: String) -> Bool {
    let request = Array(path.utf8)
    let prefix = Array(cookie.utf8)
    guard request.starts(with: prefix) else { return false }
    return request.count == prefix.count || prefix.last == .slash || request[prefix.count] == .slash
  }

  /// The path of a cookie that names none: the request's path up to its last slash.
  static func defaultPath(of path: String) -> String {
    let bytes = Array(path.utf8)
    guard let last = bytes.lastIndex(of: .slash), last > 0 else { return "/" }
    return bytes[..<last].text
  }
}

extension Cookie {
  /// Makes the cookie that a server may set; `nil` where the standard says to ignore it (RFC 6265
  /// section 5.3, steps 2 to 10).
  init?(
    _ field: SetCookie, from url: HTTPURL, at now: Timestamp, suffixes: (any PublicSuffixes)?
  ) {
    // "If the scheme component of the request-uri does not denote a 'secure' protocol, and the
    // cookie's secure-only-flag is true, then abort these steps" (6265bis section 5.7).
    guard !field.isSecure || url.origin.isSecure else { return nil }
    guard let scope = Self.scope(of: field.domain, for: url.origin, suffixes: suffixes) else {
      return nil
    }
    name = field.name
    value = field.value
    domain = scope.domain
    path = field.path ?? CookieScope.defaultPath(of: url.path)
    expires = field.end(at: now)
    isHostOnly = scope.isHostOnly
    isSecure = field.isSecure
    isHTTPOnly = field.isHTTPOnly
    sameSite = field.sameSite
    guard isAllowedByPrefix(field) else { return nil }
  }

  /// The domain of a cookie, and whether only the host itself gets it; `nil` for a domain that is
  /// not the host's or belongs to everybody (steps 5 and 6).
  ///
  /// Without a list of public suffixes nobody knows whether a domain belongs to everybody: then it
  /// must be the host, and only the host gets the cookie.
  private static func scope(
    of domain: String?, for origin: Origin, suffixes: (any PublicSuffixes)?
  ) -> (domain: String, isHostOnly: Bool)? {
    guard let domain, domain != origin.host else {
      let isHostOnly =
        domain == nil || origin.isIPAddress || suffixes?.contains(origin.host) != false
      return (origin.host, isHostOnly)
    }
    guard let suffixes, CookieScope.host(origin, matches: domain), !suffixes.contains(domain) else {
      return nil
    }
    return (domain, false)
  }

  /// The promises that a name makes by its prefix (6265bis section 4.1.3), in either case as
  /// servers that compare names without case would believe both.
  private func isAllowedByPrefix(_ field: SetCookie) -> Bool {
    // By bytes: Swift's `hasPrefix` does not see a prefix whose last letter carries an accent.
    let name = name.utf8.map(\.lowercase)
    if name.starts(with: "__host-".utf8) {
      return isSecure && !field.hasDomain && field.hasPath && path == "/"
    }
    return !name.starts(with: "__secure-".utf8) || isSecure
  }
}

/// The names under which anybody can register a domain, such as `com` or `co.uk`.
///
/// A cookie for such a name would be sent to unrelated servers (RFC 6265 section 5.3 step 5).
/// Without a list, the `Domain` attribute must equal the host.
public protocol PublicSuffixes: Sendable {
  /// Whether a domain, lower case and without a leading dot, is a public suffix.
  func contains(_ domain: String) -> Bool
}
