internal import GatebookCrypto
public import GatebookEvents

/// A web application that creates sessions of a Fusion client gateway, as in an account's settings.
///
/// Whether to use TLS (`secure`), what TLS trusts (in ``LoginOptions``) and whether to keep cookies
/// (`useCookies`) are three independent settings.
///
/// Source: FCSDK for iOS, sample client: server, port, "secure", "use cookies".
public struct FCSDKGateway: Hashable, Sendable {
  /// The login path of the sample's web application.
  public static let samplePath = "/csdk-sample/SDK/login"

  /// The host's name or address, as it was given.
  public let server: String
  /// The port.
  public let port: Int
  /// Whether to use TLS.
  public let secure: Bool
  /// The path of the login, of the deployment's own web application.
  public let path: String
  /// Whether the account keeps and sends cookies.
  public let useCookies: Bool
  /// A header field for each request to this server; it ends with the session and is not a
  /// remembered setting.
  public let field: HTTPField?
  /// The URL that user name and password are sent to.
  public let loginURL: HTTPURL

  /// Describes a gateway.
  ///
  /// - Parameters:
  ///   - server: The host's name or address alone: no scheme, no port, no path.
  ///   - port: The port; 8443 with TLS and 8080 without unless given.
  ///   - secure: Whether to use TLS.
  ///   - path: The path of the login, percent-encoded where it has to be.
  ///   - useCookies: Whether the account keeps and sends cookies.
  ///   - field: A header field for each request.
  /// - Throws: `configuration.invalid` with the setting's name.
  public init(
    server: String, port: Int? = nil, secure: Bool = true, path: String = samplePath,
    useCookies: Bool = true, field: HTTPField? = nil
  ) throws(GatebookError) {
    let port = port ?? (secure ? 8443 : 8080)
    guard (1...65_535).contains(port) else {
      throw .setting("port", "it must be from 1 to 65535.", remedy: "Give the port's number.")
    }
    if let field { try Self.check(field) }
    self.server = server
    self.port = port
    self.secure = secure
    self.path = path
    self.useCookies = useCookies
    self.field = field
    loginURL = try Self.url(try Self.origin(server, port, secure), path)
  }

  /// Describes a gateway by its URL.
  ///
  /// - Parameters:
  ///   - url: Scheme, host and port; its own path must be empty or `/`.
  ///   - path: The path of the login, percent-encoded where it has to be.
  ///   - useCookies: Whether the account keeps and sends cookies.
  ///   - field: A header field for each request.
  /// - Throws: `configuration.invalid` with the setting's name.
  public init(
    at url: HTTPURL, path: String = samplePath, useCookies: Bool = true, field: HTTPField? = nil
  ) throws(GatebookError) {
    guard url.target == "/" else {
      throw .setting(
        "server", "a gateway's URL must not have a path or a query.",
        remedy: "Give scheme, host and port here, and the path of the login separately.")
    }
    try self.init(
      server: url.origin.host, port: url.origin.port, secure: url.origin.isSecure, path: path,
      useCookies: useCookies, field: field)
  }

  private static func origin(
    _ server: String, _ port: Int, _ secure: Bool
  ) throws(GatebookError) -> Origin {
    let isAddress = server.utf8.contains(.colon) && server.utf8.first != UInt8(ascii: "[")
    let host = isAddress ? "[\(server)]" : server
    let isPlain = !server.utf8.contains { "/?#@\\".utf8.contains($0) }
    guard isPlain, let url = HTTPURL("\(secure ? "https" : "http")://\(host):\(port)"),
      url.origin.port == port
    else {
      throw .setting(
        "server", "it is not a host name or an IP address.",
        remedy: "Give the host alone, such as gateway.example.")
    }
    return url.origin
  }

  private static func url(_ origin: Origin, _ path: String) throws(GatebookError) -> HTTPURL {
    // If a path were not sent unchanged, it would be another setting than the one that is shown.
    guard let url = HTTPURL("\(origin)\(path)"), url.origin == origin,
      url.target.utf8.elementsEqual(path.utf8), url.query == nil
    else {
      throw .setting(
        "path", "it is not the path of a URL.",
        remedy: "Begin it with a slash and percent-encode it, such as \(samplePath).")
    }
    return url
  }

  /// Fields that are not the user's to set: HTTP's own, and those of the protocol.
  private static let reserved = [
    "Connection", "Content-Length", "Content-Type", "Cookie", "Expect", "Host", "TE", "Trailer",
    "Transfer-Encoding", "Upgrade",
  ]

  private static func check(_ field: HTTPField) throws(GatebookError) {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter),
      !reserved.contains(where: { $0.equalsIgnoringCase(field.name) }),
      field.value.utf8.allSatisfy({ !$0.isControl })
    else {
      throw .setting(
        "field", "it cannot be sent, or Gatebook sets it itself.",
        remedy: "Give a name of letters, digits and hyphens, and a value on one line.")
    }
  }
}

extension FCSDKGateway {
  /// Where a session is ended, by its id; `nil` for an id that no URL can name.
  ///
  /// The id is one path segment: everything but unreserved characters is percent-encoded UTF-8.
  func logoutURL(of session: Secret) -> HTTPURL? {
    var target = Array(path.utf8)
    if target.last == .slash { target.removeLast() }
    target += "/id/".utf8
    target += session.withBytes { PercentEncoding.encode($0) }
    // "." and ".." mean folders also where they are encoded (RFC 3986 section 5.2.4).
    guard let url = HTTPURL("\(loginURL.origin)\(target.text)"),
      url.path.utf8.elementsEqual(target)
    else { return nil }
    return url
  }

  /// The request with the extra field, where it goes to this server.
  func decorate(_ request: HTTPRequest) -> HTTPRequest {
    guard let field, request.url.origin == loginURL.origin else { return request }
    return request.replacing(field)
  }

  /// What is remembered after the session: all but the field, which may be a key.
  var settings: Facts {
    var settings = record
    settings["field"] = nil
    return settings
  }
}

extension FCSDKGateway: StoredRecord {
  /// All of it, for the vault.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let field = facts.optional("field", kept?.field)
    let path = try facts.required("path", kept?.path)
    let port = try facts.required("port", kept?.port)
    let secure = try facts.required("secure", kept?.secure)
    let server = try facts.required("server", kept?.server)
    let useCookies = try facts.required("useCookies", kept?.useCookies)
    guard
      let gateway = try? FCSDKGateway(
        server: server, port: port, secure: secure, path: path, useCookies: useCookies,
        field: field)
    else { throw Unreadable() }
    self = gateway
  }
}

extension FCSDKGateway: Discreet {
  /// The URL of the login; the field's value may be a secret.
  public var description: String { loginURL.description }
}
