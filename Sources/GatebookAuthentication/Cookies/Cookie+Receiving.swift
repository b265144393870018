internal import GatebookEvents

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
