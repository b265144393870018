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
