internal import GatebookAuthentication
internal import Glibc

extension CurlTransport {
  /// Which proxy requests take.
  public enum Proxy: Hashable, Sendable {
    /// The one that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name.
    case environment
    /// None, whatever the environment says.
    case none
    /// Always this one, such as `http://proxy.example:3128`.
    case url(String)
  }
}

extension CurlTransport.Proxy {
  /// The address of the proxy on the way to a server, as it was given; `nil` for none.
  ///
  /// libcurl's rules: the variable in capitals does not count for http, and an empty one is none.
  /// They are applied here, so that no 407 is taken for that of a proxy that was not asked.
  func address(for server: Origin) -> String? {
    switch self {
    case .none: return nil
    case .url(let url): return url
    case .environment:
      let exceptions = Self.variable("no_proxy", "NO_PROXY").map { ProxyExceptions($0) }
      if let exceptions, exceptions.contains(server) { return nil }
      return server.isSecure
        ? Self.variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        : Self.variable("http_proxy", "all_proxy", "ALL_PROXY")
    }
  }

  /// Whether the way to the proxy is encrypted, so that a request makes two handshakes.
  func isEncrypted(for server: Origin) -> Bool {
    address(for: server)?.lowercased().hasPrefix("https:") ?? false
  }

  /// The proxy on the way to a server; `nil` for none, and for one that does not speak HTTP.
  ///
  /// As with libcurl, a proxy without a port is at 1080, over TLS at 443.
  func origin(for server: Origin) -> Origin? {
    address(for: server).flatMap(Self.origin)
  }

  /// The first of these variables that says anything.
  private static func variable(_ names: String...) -> String? {
    names.lazy.compactMap { name in getenv(name).map { String(cString: $0) } }
      .first { !$0.isEmpty }
  }

  private static func origin(of url: String) -> Origin? {
    let parts = url.split(separator: "://", maxSplits: 1)
    let scheme = parts.count == 2 ? parts[0].lowercased() : "http"
    guard let rest = parts.last, scheme == "http" || scheme == "https" else { return nil }
    // What stands before the last @ is a name and a password.
    let place = (rest.split(separator: "@").last ?? rest).prefix { $0 != "/" }
    guard let origin = HTTPURL("\(scheme)://\(place)/")?.origin else { return nil }
    let hasPort =
      place.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") == true
    let port = hasPort ? origin.port : (scheme == "https" ? 443 : 1080)
    return Origin(scheme: scheme, host: origin.host, port: port)
  }
}
