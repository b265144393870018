internal import GatebookEvents
internal import GatebookSystem

/// An issuer of OpenID Connect or OAuth 2: a URL that is compared byte for byte, as it was written.
///
/// `https://id.example`, `https://id.example/` and `https://id.example:443` are the same server but
/// three issuers. Only the one that the server publishes is correct.
///
/// Source: OpenID Connect Discovery 1.0 section 4.3, RFC 8414 section 3.3.
public struct Issuer: Hashable, Sendable, CustomStringConvertible {
  /// The issuer as it was written.
  public let description: String
  /// The server's URL.
  public let url: HTTPURL

  /// Reads an issuer; `nil` for text that ``HTTPURL`` rejects.
  public init?(_ text: some StringProtocol) {
    guard let url = HTTPURL(text) else { return nil }
    description = String(text)
    self.url = url
  }

  /// The issuer where this is the address of its description (OpenID Connect Discovery 1.0 section
  /// 4, RFC 8414 section 3.1); `nil` for any other address.
  var withoutDescription: String? {
    let text = description.hasSuffix("/") ? String(description.dropLast()) : description
    for place in ["openid-configuration", "oauth-authorization-server"] {
      guard let found = text.firstRange(of: "/.well-known/\(place)") else { continue }
      let rest = text[found.upperBound...]
      if rest.isEmpty || rest.hasPrefix("/") { return String(text[..<found.lowerBound]) + rest }
    }
    return nil
  }

  /// Where the server describes itself: the place of OpenID Connect, then that of OAuth 2.
  ///
  /// OpenID Connect Discovery 1.0 section 4: at the issuer's end, "any terminating / MUST be
  /// removed". RFC 8414 section 3.1: between host and path.
  package var descriptions: [HTTPURL] {
    let folder = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    return [
      "\(folder)/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server\(folder)",
    ].map { HTTPURL(origin: url.origin, path: Array($0.utf8), query: nil) }
  }

  /// Whether a server calls itself so.
  func isNamed(_ text: String) -> Bool { description.utf8.elementsEqual(text.utf8) }
}

/// A server that calls itself by another issuer than the one that is set: both names, and what to
/// do about it.
struct IssuerMismatch {
  private let issuer: Issuer
  private let said: String

  /// Compares them.
  ///
  /// - Parameters:
  ///   - issuer: What is set.
  ///   - said: What the server says.
  init(_ issuer: Issuer, said: String) {
    self.issuer = issuer
    self.said = String(said.prefix(200))
  }

  /// The failure: `configuration.invalid`.
  func error(status: Int) -> GatebookError {
    var error = GatebookError.atLogin(
      .configurationInvalid, .issuer,
      isOtherName
        ? "The configured issuer is \(issuer), but the server uses another name of this machine."
        : "The configured issuer is \(issuer).",
      remedy: remedy, cause: "it says \(said)", status: status)
    if isName { error = error.fitting(said) }
    return error
  }

  private var remedy: String {
    if isName { return "Give \(said) as the issuer: both must be exactly the same." }
    if said.contains("{") {
      return
        "The server's issuer contains a placeholder for the tenant. Give the issuer with your tenant's "
        + "ID instead."
    }
    if isBehindProxy {
      return
        "The server does not know that clients reach it by https. Ask its administrator to set its "
        + "public address, for example with X-Forwarded-Proto in its proxy."
    }
    return "If this is the right server, give the issuer exactly as the server writes it."
  }

  /// Whether the server names the same place differently, so that its name can be used.
  private var isName: Bool {
    let isPlace =
      HTTPURL(said) == issuer.url || withoutSlash(said) == withoutSlash(issuer.description)
    return isOtherName || isPlace && !said.contains("{")
  }

  private func withoutSlash(_ text: String) -> Substring {
    text.hasSuffix("/") ? text.dropLast() : text[...]
  }

  /// Whether the server's name differs from the issuer only in the name of this machine, such as
  /// `localhost` for `127.0.0.1`.
  private var isOtherName: Bool {
    let set = issuer.url
    guard let said = HTTPURL(said), said.origin.isLoopback, set.origin.isLoopback,
      said.origin.host != set.origin.host
    else { return false }
    return said.origin.scheme == set.origin.scheme && said.origin.port == set.origin.port
      && said.path == set.path && said.query == set.query
  }

  /// Whether the server takes itself for one without TLS: to give its name would be refused.
  private var isBehindProxy: Bool {
    guard let said = HTTPURL(said) else { return false }
    return issuer.url.origin.isSecure && !said.origin.isSecure
      && said.origin.host == issuer.url.origin.host
  }
}
