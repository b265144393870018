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
  /// Whether the way to the proxy may be encrypted, so that a request makes two handshakes.
  var mayBeEncrypted: Bool {
    switch self {
    case .none: false
    case .url(let url): Self.isEncrypted(url)
    case .environment:
      ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { (name: String) in
        getenv(name).map { Self.isEncrypted(String(cString: $0)) } ?? false
      }
    }
  }

  /// The proxy on the way to a server; `nil` for none, and for one that does not speak HTTP.
  ///
  /// libcurl's rules: the variable in capitals does not count for http, and a proxy without a port is
  /// at 1080, over TLS at 443.
  func origin(for server: Origin) -> Origin? {
    switch self {
    case .none: return nil
    case .url(let url): return Self.origin(of: url)
    case .environment:
      let own = server.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
      let found = (own + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { (name: String) in
        getenv(name).map { String(cString: $0) }
      }
      return found.first { !$0.isEmpty }.flatMap(Self.origin)
    }
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

  private static func isEncrypted(_ url: String) -> Bool {
    url.lowercased().hasPrefix("https:")
  }
}
