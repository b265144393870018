public import Gatebook
internal import GatebookSystem

/// A scripted person in front of a browser: opens the page where a fake portal asks, logs in there
/// and approves or denies.
///
/// It has a tiny client of its own for plain HTTP on loopback and keeps its cookies, so a second
/// visit needs no login as long as the session lives.
///
/// ```swift
/// let ada = PortalVisitor(.ada)
/// guard case .redirected(let url) = try await ada.visit(authorizeURL) else { return }
/// // … hand the URL to the client that waits for it …
/// ```
///
/// ```
/// authorize page --302--> login page --POST--> authorize page --POST--> redirect or verifier
///                             ^  wrong password |        | 400: page
///                             '-----------------'        '----------> page
/// ```
public final class PortalVisitor: Sendable {
  /// What the person answers when the portal asks.
  public enum Decision: String, Sendable {
    /// The client may act for the person.
    case approve
    /// It may not.
    case deny
  }

  /// How a visit ended.
  public enum Ending: Hashable, Sendable {
    /// The portal sent the browser to the client, with this URL: a code, a verifier or an error.
    case redirected(String)
    /// The portal showed a verifier that the person types into the client (OAuth 1.0a, `oob`).
    case verifier(String)
    /// The login page came back: the name or the password is wrong.
    case loginRefused
    /// A page with nothing to fill in, such as the one about an unknown client.
    case page(status: Int)
  }

  private static let stepLimit = 20

  private let name: String
  private let password: String
  /// By name alone: there is one server, and it sets none for a path.
  private let cookies = Locked<[String: String]>([:])

  /// Makes a person with a fresh browser.
  ///
  /// - Parameters:
  ///   - name: What the person types as login name.
  ///   - password: What the person types as password.
  public init(name: String, password: String) {
    self.name = name
    self.password = password
  }

  /// Makes a person who logs in by e-mail address.
  public convenience init(_ user: FakePortalUser) {
    self.init(name: user.emailAddress, password: user.password)
  }

  /// Opens a page of a fake portal and continues until the portal asks nothing more.
  ///
  /// - Parameters:
  ///   - url: What the client wants opened, such as an authorize page of OAuth 1.0a or OAuth 2;
  ///     plain HTTP on 127.0.0.1 or localhost.
  ///   - decision: What the person answers.
  ///   - opensRedirect: Whether the browser opens the redirect too, when it leads to plain HTTP on
  ///     loopback; then the client's listener has answered before this returns.
  /// - Returns: How it ended.
  /// - Throws: `configuration.invalid` for another kind of URL, `network.unreachable` when nobody
  ///   answers there, `content.unexpected` when the redirects do not end, `limit.exceeded` without
  ///   a thread left.
  public func visit(
    _ url: String, _ decision: Decision = .approve, opensRedirect: Bool = false
  ) async throws(GatebookError) -> Ending {
    let result: Result<Ending, GatebookError> = await withCheckedContinuation { continuation in
      // Sockets block, so the walk has a thread of its own.
      do throws(GatebookError) {
        try PosixThread.detach {
          continuation.resume(
            returning: Result { () throws(GatebookError) in
              try self.walk(from: url, decision, opensRedirect: opensRedirect)
            })
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Forgets all cookies, as after closing a private window.
  public func forgetCookies() {
    cookies.withLock { $0 = [:] }
  }

  /// Goes from page to page; blocks its thread.
  private func walk(
    from url: String, _ decision: Decision, opensRedirect: Bool
  ) throws(GatebookError) -> Ending {
    guard let start = PlainPlace(url) else {
      throw GatebookError(
        .configurationInvalid, "The visitor opens nothing but plain HTTP on loopback.",
        remedy: "Give it the URL of a page of a fake portal.")
    }
    var answer = try ask(start)
    var hasLoggedIn = false
    for _ in 0..<Self.stepLimit {
      if let location = answer.fields["Location"] {
        guard let next = start.resolve(location) else {
          if opensRedirect, let place = PlainPlace(location) { _ = try place.ask() }
          return .redirected(location)
        }
        answer = try ask(next)
        continue
      }
      guard answer.status == 200, let form = PlainForm(answer.text),
        let action = start.resolve(form.action)
      else { return Self.ending(on: answer) }
      let isLogin = form.hasField("password")
      guard !isLogin || !hasLoggedIn else { return .loginRefused }
      hasLoggedIn = hasLoggedIn || isLogin
      answer = try ask(
        action,
        form.filled(
          isLogin
            ? ["login": name, "password": password] : ["decision": decision.rawValue]))
    }
    throw GatebookError(
      .contentUnexpected, "The portal's pages do not end.",
      remedy: "See in the portal's log where they go in circles.")
  }

  private static func ending(on answer: LoopbackReply) -> Ending {
    guard let start = answer.text.firstRange(of: "<p id=\"verifier\">")?.upperBound else {
      return .page(status: answer.status)
    }
    return .verifier(PlainForm.unescaped(String(answer.text[start...].prefix { $0 != "<" })))
  }

  /// Sends a request, or a form, with the cookies; takes what the answer sets and drops what it
  /// takes back.
  private func ask(
    _ place: PlainPlace, _ form: String? = nil
  ) throws(GatebookError) -> LoopbackReply {
    let answer = try place.ask(form, cookies: cookies.withLock { $0 })
    cookies.withLock { cookies in
      for line in answer.fields.values(of: "Set-Cookie") {
        let pair = line.prefix { $0 != ";" }
        let name = pair.prefix { $0 != "=" }
        let isGone = line.contains("; Max-Age=0")
        cookies[String(name)] = isGone ? nil : String(pair.dropFirst(name.count + 1))
      }
    }
    return answer
  }
}
