internal import Gatebook
internal import GatebookSystem

/// Finds out how to log in at an address: by the server's description of itself, by the challenge
/// with which it refuses, or by the login form that it shows.
///
/// Every request is anybody's: nothing of the user is sent.
struct ServerSurvey {
  /// What an address leads to.
  enum Finding: Hashable, Sendable {
    /// OpenID Connect or OAuth 2: the server's name of itself, and what it lists.
    case openID(issuer: String, ServerOffers)
    /// HTTP authentication: the strongest scheme on offer.
    case http(scheme: String)
    /// A login form, and the address whose page it keeps from others, where that is known.
    case form(PageForm, check: HTTPURL?)
  }

  let transport: any Transport
  let route: Route

  /// How many redirects are followed to a login page.
  private static let mostRedirects = 5

  /// Looks.
  ///
  /// - Parameter url: The address.
  /// - Returns: What was found; `nil` where nothing says how to log in.
  /// - Throws: The transport's failure, where the server is not reached or not trusted.
  func find(at url: HTTPURL) async throws(GatebookError) -> Finding? {
    let page = try await reply(url)
    if let finding = Self.openID(page, url) { return finding }
    for place in Self.descriptions(of: url) {
      // A server may refuse what it does not know in any way it likes.
      guard let reply = try? await reply(place), let finding = Self.openID(reply, url) else {
        continue
      }
      return finding
    }
    if page.status == 401, let best = page.challenges.compactMap(HTTPStrength.init).max() {
      return .http(scheme: best == .basic ? "Basic" : "Digest")
    }
    guard page.status < 400 || page.status == 401 || page.status == 403 else {
      throw GatebookError(
        .serverRefused, "The server answered \(page.status) for \(url.withoutQuery).",
        kept: "Nothing was recorded.",
        remedy: Self.isPlainToTLS(page)
          ? "The server expects TLS: use `https`."
          : "Check the address. An OpenID Connect issuer may have a path: give the whole issuer, or run "
            + "`gatebook login oidc --issuer ISSUER --client-id ID`.", status: page.status)
    }
    return try await form(page, at: url)
  }

  /// Whether a server says that it was asked without TLS.
  private static func isPlainToTLS(_ page: HTTPReply) -> Bool {
    let text = String(decoding: page.body.prefix(4096), as: UTF8.self).lowercased()
    return page.status == 400 && text.contains("https")
  }

  /// The login form of the page, or of the page that it redirects to.
  private func form(_ page: HTTPReply, at url: HTTPURL) async throws(GatebookError) -> Finding? {
    var page = page
    var place = url
    for _ in 0..<Self.mostRedirects where (300...399).contains(page.status) {
      guard let target = page.fields.values(of: "Location").first.flatMap(place.resolve),
        target.origin.isSecure || !place.origin.isSecure
      else { return nil }
      place = target
      page = try await reply(place)
    }
    guard let form = PageForm(in: String(decoding: page.body, as: UTF8.self), at: place) else {
      return nil
    }
    return .form(form, check: place.isSamePage(as: url) ? nil : url)
  }

  private func reply(_ url: HTTPURL) async throws(GatebookError) -> HTTPReply {
    var request = HTTPRequest.get(url)
    request.limits = HTTPLimits(total: .seconds(15), body: 1 << 20)
    do throws(TransportFailure) {
      return try await transport.send(request, through: route)
    } catch {
      var failure = error.error
      failure.kept = "Nothing was recorded."
      throw failure
    }
  }

  /// Where servers describe themselves: below the address, and at the root of its server (OpenID
  /// Connect Discovery 1.0 section 4, RFC 8414 section 3.1).
  private static func descriptions(of url: HTTPURL) -> [HTTPURL] {
    let folder = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    let paths = [
      "\(folder)/.well-known/openid-configuration", "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server\(folder)",
    ]
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }.compactMap {
      HTTPURL(url.origin.description + $0)
    }
  }

  /// The issuer that a description names; one of another server is not taken at its word.
  private static func openID(_ reply: HTTPReply, _ url: HTTPURL) -> Finding? {
    guard reply.status == 200,
      let name = JSONDocument.read(reply.body)?.object?["issuer"]?.text,
      let issuer = Issuer(name), issuer.url.origin == url.origin,
      let offers = ServerOffers(reply.body)
    else { return nil }
    return .openID(issuer: name, offers)
  }
}
