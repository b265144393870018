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
