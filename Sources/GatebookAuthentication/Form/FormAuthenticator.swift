internal import GatebookEvents
internal import GatebookSystem

/// Logs in with a form and proves it by the check URL.
///
/// ```
/// ready     --start---------------------------> probing    GET the check URL without cookies
/// probing   --401, 403------------------------> posting    POST the form, sent once
/// probing   --redirect: the login page--------> visiting   GET it for its cookies
/// probing   --the same at another server------> posting
/// probing   --redirect to itself, respelled---> server.moved
/// probing   --2xx-----------------------------> login.unprovable
/// visiting  --any page------------------------> posting
/// posting   --redirect to the login page------> credentials.refused
/// posting   --401; 400 or 403 without a body--> credentials.refused
/// posting   --307, 308------------------------> server.moved: no password is sent again
/// posting   --redirect on the same origin-----> following  GET with the jar, at most 10 hops
/// posting   --redirect elsewhere, 2xx---------> checking   GET the check URL with the jar
/// following --redirects-----------------------> as from posting
/// following --any page------------------------> checking
/// checking  --2xx-----------------------------> finish
/// checking  --401, 403, to the login page-----> credentials.refused; server.moved when the login
///                                               had been sent to another server
/// checking  --refused after a page without a form, in a renewal--> server.refused
/// checking  --other redirects, other answers--> login.unprovable
/// all but following --408 425 429 5xx---------> server.unavailable
/// probing, posting --404 405 410 415----------> configuration.invalid
/// probing, posting --other--------------------> server.refused
/// all       --no answer-----------------------> the transport's code
/// ```
///
/// A page in answer to the form proves nothing, because servers answer a wrong password with one:
/// the check URL decides. A captive portal can do so too without TLS; its redirect to itself is
/// recognized, its page at the form's own URL is not.
///
/// The cookies of every hop go to a jar of the attempt's own, which a failed attempt takes along.
struct FormAuthenticator: ReplyAuthenticator {
  var turn = Turn<Self>.ready
  private let login: FormLogin
  private var page: LoginPage?
  private var follower: RedirectFollower
  private var wasSentElsewhere = false
  private let isRenewal: Bool
  /// Whether the password was answered by a page that does not ask for it again.
  private var isAnsweredByStranger = false

  /// Makes the machine.
  ///
  /// - Parameters:
  ///   - login: What logs in, and where.
  ///   - isRenewal: Whether it renews a session: only a certain refusal ends that.
  init(_ login: FormLogin, isRenewal: Bool = false) {
    self.login = login
    self.isRenewal = isRenewal
    follower = RedirectFollower(login.form(), jar: CookieJar())
  }

  // MARK: Before the password

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try login.check()
    return send(HTTPRequest("GET", login.checkURL, limits: .login)) { try $0.probed($1) }
  }

  private mutating func probed(_ arrival: Arrival) throws(GatebookError) -> Step {
    switch arrival.status {
    case .unauthorised, .forbidden:
      return post(taking: arrival, from: login.checkURL)
    case .redirected:
      let target = try learnPage(arrival.reply)
      guard target.origin == login.loginURL.origin else {
        return post(taking: arrival, from: login.checkURL)
      }
      follower.jar.take(arrival, from: login.checkURL)
      let visit = HTTPRequest("GET", target, limits: .login)
        .carrying(follower.jar, at: arrival.input.moment)
      return send(visit) { try $0.visited($1, target) }
    case .accepted:
      throw .unprovable(
        .proofPublic, of: CheckURL.name,
        remedy: "Give a check URL that only logged-in users can read.",
        status: arrival.reply.status)
    case .misplaced, .unavailable, .refused:
      throw .answered(arrival.reply, at: login.checkURL, setting: "checkURL")
    }
  }

  private mutating func learnPage(_ reply: HTTPReply) throws(GatebookError) -> HTTPURL {
    guard let target = reply.target(from: login.checkURL),
      !LoginPage.isSpelling(target, of: login.checkURL)
    else { throw .moved(reply, from: login.checkURL) }
    page = LoginPage(target, learnedFrom: login.checkURL)
    return target
  }

  private mutating func visited(
    _ arrival: Arrival, _ page: HTTPURL
  ) throws(GatebookError) -> Step {
    guard arrival.status != .unavailable else {
      throw .unavailable(arrival.reply, at: login.loginURL)
    }
    return post(taking: arrival, from: page)
  }

  // MARK: The password

  private mutating func post(taking arrival: Arrival, from url: HTTPURL) -> Step {
    follower.jar.take(arrival, from: url)
    return send(follower.request(at: arrival.input.moment.wall)) { try $0.posted($1) }
  }

  private mutating func posted(_ arrival: Arrival) throws(GatebookError) -> Step {
    let reply = arrival.reply
    switch arrival.status {
    case .accepted:
      isAnsweredByStranger = !login.isForm(reply)
      return try followed(arrival, from: login.loginURL)
    case .redirected where reply.status < 307:
      return try followed(arrival, from: login.loginURL)
    case .unauthorised: throw Self.credentialsRefused(reply)
    case .forbidden where reply.body.isEmpty: throw Self.credentialsRefused(reply)
    case .refused where reply.status == 400 && reply.body.isEmpty:
      throw Self.credentialsRefused(reply)
    case .redirected, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.loginURL, setting: "loginURL")
    }
  }

  // MARK: After the password

  private mutating func followed(
    _ arrival: Arrival, from url: HTTPURL
  ) throws(GatebookError) -> Step {
    guard !isSentToPage(arrival.reply, from: url) else {
      // The form's own answer is about the password; a later page may also miss the cookie.
      throw url == login.loginURL
        ? Self.credentialsRefused(arrival.reply) : Self.refusedBehind(arrival.reply)
    }
    do {
      guard case .send(let request) = try follower.next(arrival) else { return check(arrival) }
      return send(request) { try $0.followed($1, from: request.url) }
    } catch {
      // The check URL decides, wherever the server would have sent a browser.
      guard error.code == .originForeign else { throw error }
      wasSentElsewhere = true
      return check(arrival)
    }
  }

  private func isSentToPage(_ reply: HTTPReply, from url: HTTPURL) -> Bool {
    guard case .redirected = StatusClass(reply.status), let page else { return false }
    return page.isTarget(reply.target(from: url))
  }

  private mutating func check(_ arrival: Arrival) -> Step {
    let request = HTTPRequest("GET", login.checkURL, limits: .login)
    return send(request.carrying(follower.jar, at: arrival.input.moment)) { try $0.checked($1) }
  }

  private mutating func checked(_ arrival: Arrival) throws(GatebookError) -> Step {
    let reply = arrival.reply
    switch arrival.status {
    case .accepted:
      follower.jar.take(arrival, from: login.checkURL)
      return .finish(
        Outcome(
          person: login.person, evidence: .check, proof: FormProof(login, page: page),
          jar: follower.jar))
    case .unauthorised, .forbidden:
      throw refusal(reply)
    case .redirected where isSentToPage(reply, from: login.checkURL):
      throw refusal(reply)
    case .unavailable:
      throw .unavailable(reply, at: login.checkURL)
    case .redirected, .misplaced, .refused:
      throw .unprovable(
        .proofRefused, of: CheckURL.name,
        remedy:
          "Give a check URL that answers 2xx to logged-in users, exactly as the server writes it, "
          + "including a final slash.",
        status: reply.status)
    }
  }

  /// The server's answer to wrong fields is the same as to a wrong password.
  private static func credentialsRefused(_ reply: HTTPReply) -> GatebookError {
    .credentialsRefused(
      status: reply.status,
      remedy:
        "Log in again with the right user name and password. The form's fields may also have other "
        + "names: see `userField` and `passwordField`.")
  }

  /// A page that refuses after the form may also have missed the cookie of an accepted login.
  private static func refusedBehind(_ reply: HTTPReply) -> GatebookError {
    .atLogin(
      .credentialsRefused, .formCheck,
      remedy:
        "Log in again with the right user name and password. The form's fields may also have other "
        + "names: see `userField` and `passwordField`. Or the server's cookie is not valid for this host, "
        + "path and scheme.",
      status: reply.status)
  }

  private func refusal(_ reply: HTTPReply) -> GatebookError {
    if isRenewal, isAnsweredByStranger {
      // Such as the page of a proxy, or of a network that wants a login of its own: then the server
      // has never seen the password.
      return GatebookError(
        .serverRefused, "Another page than the login form answered, so this was not a login.",
        kept: "The session is unchanged.", remedy: "Try again later, or log in again.",
        status: reply.status)
    }
    guard wasSentElsewhere else { return Self.refusedBehind(reply) }
    return .atLogin(
      .serverMoved,
      "The server redirected the login to another server, which Gatebook does not follow.",
      remedy: "Log in with the URLs of that server.", status: reply.status)
  }
}
