package import GatebookEvents

/// Carries one request of a login through redirects, with the account's cookies: a part that login
/// methods build their machines from.
///
/// ```swift
/// follower = RedirectFollower(.get(page), jar: jar)
/// return .send(follower.request(at: now))  // then, with each reply:
/// switch try follower.next(reply, at: now, suffixes: suffixes) {
/// case .send(let request): return .send(request)
/// case .arrived(let reply, let url): jar = follower.jar  // go on
/// }
/// ```
///
/// Rules: the same origin only, at most 10 redirects, `Set-Cookie` of every answer counts. 303
/// continues with GET; 301 and 302 do so for POST; everything else keeps method and body (RFC 9110
/// section 15.4).
package struct RedirectFollower: Sendable {
  /// What to do with an answer.
  package enum Move: Sendable {
    /// Send this; its `Cookie` field is set.
    case send(HTTPRequest)
    /// The answer is no redirect.
    case arrived(HTTPReply, at: HTTPURL)
  }

  /// The most redirects that are followed.
  package static let maximumHops = 10

  /// The account's cookies, with those of all answers so far; also after an error.
  package var jar: CookieJar
  private var current: HTTPRequest
  private let extras: KeyValuePairs<String, String>
  private var hops = 0

  /// Makes a follower for one request.
  ///
  /// - Parameters:
  ///   - request: Where it starts; a `Cookie` field of its own is replaced.
  ///   - jar: The cookies to begin with.
  ///   - extras: Cookies to send first where the jar has none of their name, such as
  ///     `COOKIE_SUPPORT`.
  package init(
    _ request: HTTPRequest, jar: CookieJar, extras: KeyValuePairs<String, String> = [:]
  ) {
    current = request
    self.jar = jar
    self.extras = extras
  }

  /// The request as it is sent now, with its cookies; the first one to send.
  package func request(at now: Timestamp) -> HTTPRequest {
    var request = current
    request.fields.removeAll { $0.name.equalsIgnoringCase("Cookie") }
    if let cookies = jar.header(for: current.url, at: now, extras: extras) {
      request.fields.append(HTTPField("Cookie", cookies))
    }
    return request
  }

  /// Takes the answer to the last request.
  ///
  /// - Returns: What to send next, or where it ended.
  /// - Throws: `origin.foreign` for a redirect to another origin, `limit.exceeded` for more than 10
  ///   of them, `content.unexpected` for one without a usable `Location`.
  package mutating func next(
    _ reply: HTTPReply, at now: Timestamp, suffixes: (any PublicSuffixes)?
  ) throws(GatebookError) -> Move {
    _ = jar.receive(reply, from: current.url, at: now, suffixes: suffixes)
    guard StatusClass(reply.status) == .redirected else {
      return .arrived(reply, at: current.url)
    }
    let target = try target(of: reply)
    guard hops < Self.maximumHops else {
      throw GatebookError(
        .limitExceeded,
        "The server redirected more than \(Self.maximumHops) times, last from "
          + "\(current.url.withoutQuery).",
        remedy: "Look for a loop in the server's settings. It may need a cookie that it cannot set."
      )
    }
    hops += 1
    current = Self.redirected(current, to: target, status: reply.status)
    return .send(request(at: now))
  }

  /// Takes the answer to the last request.
  ///
  /// - Returns: What to send next, or where it ended.
  /// - Throws: As for a reply alone.
  mutating func next(_ arrival: Arrival) throws(GatebookError) -> Move {
    let input = arrival.input
    return try next(arrival.reply, at: input.moment.wall, suffixes: input.suffixes)
  }

  private func target(of reply: HTTPReply) throws(GatebookError) -> HTTPURL {
    let locations = Set(reply.fields.values(of: "Location"))
    guard locations.count == 1, let location = locations.first, !location.isEmpty,
      let target = current.url.resolve(location)
    else {
      throw GatebookError(
        .contentUnexpected,
        "The server answered \(reply.status) at \(current.url.withoutQuery) without one valid "
          + "Location.",
        remedy: "Check the URL, and what the server answers there.")
    }
    guard target.origin == current.url.origin else {
      throw GatebookError(
        .originForeign,
        "The server redirected from \(current.url.origin) to \(target.origin); nothing was sent "
          + "there.",
        remedy: "Log in with a URL of the server that does not redirect to another one.")
    }
    return target
  }

  /// The next request; one that becomes a GET loses its body and what describes a body (RFC 9110
  /// section 15.4).
  private static func redirected(
    _ request: HTTPRequest, to url: HTTPURL, status: Int
  ) -> HTTPRequest {
    var next = request
    next.url = url
    let becomesGET =
      status == 303
      ? request.method != "HEAD" : [301, 302].contains(status) && request.method == "POST"
    guard becomesGET else { return next }
    next.fields.removeAll { $0.name.utf8.map(\.lowercase).starts(with: "content-".utf8) }
    return HTTPRequest("GET", url, fields: next.fields, limits: request.limits)
  }
}
