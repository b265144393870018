package import Gatebook
internal import GatebookSystem

/// What a proxy forwards, and as what: the proxy decides where a request leads, never the
/// request.
package struct ProxyRules: Sendable {
  /// The server that all requests go to.
  package let origin: Origin
  /// Whether only GET, HEAD and OPTIONS are forwarded.
  package var isReadOnly = false
  /// The paths that are forwarded, each with all below it; empty for all.
  package var paths: [String] = []
  /// What each request must show; `nil` where the socket itself keeps others out.
  package var capability: Capability?
  /// The port of this machine that the proxy serves at; `nil` at a socket.
  package var port: UInt16?

  package init(to origin: Origin) {
    self.origin = origin
  }

  /// The methods that only read (RFC 9110 section 9.2.1).
  private static let reading: Set<String> = ["GET", "HEAD", "OPTIONS"]
  /// `TRACK` is an old server's name for the same; servers that fold case echo `trace` too.
  private static let echoing: Set<String> = ["TRACE", "TRACK"]
  /// Fields by which some servers take another method or another path than the request line says.
  private static let overrides: Set<String> = [
    "x-http-method", "x-http-method-override", "x-method-override", "x-original-uri",
    "x-original-url", "x-override-url", "x-rewrite-url", "x-forwarded-path", "x-forwarded-prefix",
    "x-forwarded-uri",
  ]
  /// Fields that name a second path, where something is copied from or to (RFC 4918 section 10.3;
  /// object stores).
  private static let secondPaths: Set<String> = ["destination", "x-copy-from", "x-object-manifest"]

  /// What goes to the server for a request.
  ///
  /// - Parameter head: What a program sent.
  /// - Returns: The request without a body and without credentials.
  /// - Throws: Why it is not forwarded.
  package func request(for head: RequestHead) throws(ProxyRefusal) -> HTTPRequest {
    if let capability, !capability.isShown(by: head.fields) { throw .capability }
    guard head.method != "CONNECT" else { throw .connect }
    guard !Self.echoing.contains(head.method.uppercased()) else { throw .trace }
    let upgrades = head.list("Upgrade")
    // A server may leave out an upgrade to HTTP/2, which clients try without need.
    guard upgrades.allSatisfy({ $0 == "h2c" }) else { throw .upgrade }
    guard
      head.fields.values(of: "Expect").allSatisfy({ $0.lowercased() == "100-continue" })
    else { throw .expectation }
    let url = try url(of: head)
    if isReadOnly {
      guard Self.reading.contains(head.method) else { throw .readOnly }
    }
    guard allows(url) else { throw .path }
    // Many servers hand `X_A` to programs under the name of `X-A` (RFC 3875 section 4.1.18).
    let names = head.fields.map { $0.name.lowercased().replacing("_", with: "-") }
    if isReadOnly || !paths.isEmpty, names.contains(where: Self.overrides.contains) {
      throw isReadOnly ? .readOnly : .path
    }
    guard paths.isEmpty || !names.contains(where: Self.namesSecondPath) else { throw .path }
    var request = HTTPRequest(head.method, url, fields: ForwardedFields.request(head, capability))
    // Nothing here would see where a redirect leads.
    request.followsRedirects = false
    return request
  }

  private static func namesSecondPath(_ name: String) -> Bool {
    secondPaths.contains(name) || name.hasSuffix("-copy-source") || name.hasSuffix("-rename-source")
  }

  /// Where it leads: the target's path and query at the proxy's own server.
  private func url(of head: RequestHead) throws(ProxyRefusal) -> HTTPURL {
    let hosts = head.fields.values(of: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && !head.isCurrent) else { throw .malformed }
    if let host = hosts.first {
      guard let named = HTTPURL("http://\(host)/"), named.path == "/", named.query == nil,
        !host.contains("/")
      else { throw .malformed }
      guard isHere(named.origin, host) else { throw .host }
    }
    var target = Substring(head.target)
    if target == "*" {
      guard head.method == "OPTIONS" else { throw .malformed }
      target = "/"
    }
    if !target.hasPrefix("/") {
      guard let url = HTTPURL(target) else { throw .malformed }
      guard isOwn(url.origin) else { throw .target }
      target = Substring(url.target)
    }
    // `//host/path` stays a path: it is never resolved, only appended.
    guard !target.utf8.contains(0x23), let url = HTTPURL(origin, target: target) else {
      throw .malformed
    }
    return url
  }

  /// Whether a `Host` means this proxy: by its server's name, or by a name of this machine's own.
  ///
  /// With another port, a name of this machine means another server.
  private func isHere(_ plain: Origin, _ host: String) -> Bool {
    (plain.isLoopback && (plain.port == 80 || port.map { Int($0) } == plain.port))
      || isOwn(plain)
      || HTTPURL("https://\(host)/").map { isOwn($0.origin) } == true
  }

  /// Whether a program means the proxy's server: it speaks no TLS to the proxy, so it may say
  /// `http` for it.
  private func isOwn(_ other: Origin) -> Bool {
    guard other.host == origin.host else { return false }
    let isUsual = other.port == (other.isSecure ? 443 : 80)
    return other.port == origin.port || (isUsual && origin.port == (origin.isSecure ? 443 : 80))
  }

  /// Whether a path is allowed.
  ///
  /// What is compared is what is sent: `HTTPURL` has no `.` and `..` segments.
  private func allows(_ url: HTTPURL) -> Bool {
    guard !paths.isEmpty else { return true }
    let path = url.path
    guard PathSegment.areUnambiguous(in: path) else { return false }
    return paths.contains { prefix in
      path == prefix || path.hasPrefix(prefix.hasSuffix("/") ? prefix : "\(prefix)/")
    }
  }
}
