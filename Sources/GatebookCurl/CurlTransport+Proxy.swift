public import GatebookAuthentication
internal import GatebookEvents
internal import GatebookSystem

extension CurlTransport {
  /// Which proxy requests take.
  public enum Proxy: Hashable, Sendable {
    /// The one that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name, as for curl, with
    /// two differences: what is on this machine never goes through it, and nothing goes through it
    /// without TLS unless the route allows that.
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
  /// What is on this machine has no proxy that the environment names. They are applied here, so
  /// that no 407 is taken for that of a proxy that was not asked.
  func address(for server: Origin) -> String? {
    switch self {
    case .none: return nil
    case .url(let url): return url
    case .environment where server.isLoopback || server.host.hasSuffix(".localhost"): return nil
    case .environment:
      let exceptions = Self.variable("no_proxy", "NO_PROXY").map { ProxyExceptions($0) }
      if let exceptions, exceptions.contains(server) { return nil }
      return server.isSecure
        ? Self.variable("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        : Self.variable("http_proxy", "all_proxy", "ALL_PROXY")
    }
  }

  /// The proxy on the way to a server, as people may see it: without name and password.
  ///
  /// - Parameter server: The server.
  /// - Returns: Such as `http://proxy.example:3128`; `nil` for none.
  public func place(for server: Origin) -> String? {
    guard let address = address(for: server) else { return nil }
    let (scheme, place) = Self.parts(of: address)
    guard let origin = HTTPURL("http://\(place)/")?.origin else {
      return "whose address cannot be read"
    }
    return scheme + origin.description.dropFirst("http".count)
  }

  /// What of a proxy's address is secret: its name and password, unchanged and decoded.
  func secrets(for server: Origin) -> [String] {
    guard let address = address(for: server), let end = address.lastIndex(of: "@") else {
      return []
    }
    let (_, place) = Self.parts(of: address)
    let mark = address[..<end].firstRange(of: "://")
    let login = String(address[(mark?.upperBound ?? address.startIndex)..<end])
    let words = [login] + login.split(separator: ":", maxSplits: 1).map(String.init)
    return (words + words.compactMap { FormFields(decoding: Array("a=\($0)".utf8))?["a"] }).filter {
      !$0.isEmpty && $0 != place
    }
  }

  /// Refuses what would pass the environment's proxy without TLS.
  func checkCleartext(to server: Origin, _ route: Route) throws(TransportFailure) {
    guard self == .environment, !server.isSecure, !route.allowsCleartext,
      let place = place(for: server)
    else { return }
    throw TransportFailure(
      GatebookError(
        .loginCleartext,
        "The request to \(server) would pass the proxy \(place) without TLS.",
        kept: "Nothing was sent.",
        remedy: "Use https, or allow it explicitly; the permission is recorded."),
      delivery: .notSent)
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
    names.lazy.compactMap { ThisProcess.environment($0) }.first { !$0.isEmpty }
  }

  private static func origin(of url: String) -> Origin? {
    let (scheme, place) = parts(of: url)
    guard scheme == "http" || scheme == "https" else { return nil }
    guard let origin = HTTPURL("\(scheme)://\(place)/")?.origin else { return nil }
    let hasPort =
      place.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") == true
    let port = hasPort ? origin.port : (scheme == "https" ? 443 : 1080)
    return Origin(scheme: scheme, host: origin.host, port: port)
  }

  /// The scheme of a proxy's address, in lower case, and its host with its port.
  private static func parts(of url: String) -> (scheme: String, place: String) {
    let mark = url.firstRange(of: "://")
    let rest = mark.map { url[$0.upperBound...] } ?? url[...]
    // The text before the last @ is a name and a password.
    let place = (rest.split(separator: "@").last ?? rest).prefix { $0 != "/" }
    return (mark.map { url[..<$0.lowerBound].lowercased() } ?? "http", String(place))
  }
}
