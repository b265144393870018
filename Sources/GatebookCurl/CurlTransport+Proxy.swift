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

  private static func isEncrypted(_ url: String) -> Bool {
    url.lowercased().hasPrefix("https:")
  }
}
