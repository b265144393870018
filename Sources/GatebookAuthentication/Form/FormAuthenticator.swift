internal import GatebookEvents

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
struct FormAuthenticator: Authenticator {
  private enum State {
    case ready
    case probing
    case visiting
    case posting
    case following(HTTPURL)
    case checking
    case ended
  }

  private var state = State.ready
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

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      try login.check()
      state = .probing
      return .send(HTTPRequest("GET", login.checkURL, limits: .login))
    case (.probing, .reply(let status, let reply)):
      return try probed(status, reply, input)
    case (.visiting, .reply(.unavailable, let reply)):
      throw .unavailable(reply, at: login.loginURL)
    case (.visiting, .reply(_, let reply)):
      return post(taking: reply, from: page?.url ?? login.loginURL, input)
    case (.posting, .reply(let status, let reply)):
      return try posted(status, reply, input)
    case (.following(let url), .reply(_, let reply)):
      return try followed(reply, from: url, input)
    case (.checking, .reply(let status, let reply)):
      return try checked(status, reply, input)
    case (.probing, .missing(let failure)), (.visiting, .missing(let failure)),
      (.posting, .missing(let failure)), (.following, .missing(let failure)),
      (.checking, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.probing, .begun), (.visiting, .begun),
      (.posting, .begun), (.following, .begun), (.checking, .begun), (_, .redirected),
      (.ended, _):
      throw .loginOutOfOrder
    }
  }

  // MARK: Before the password

  private mutating func probed(
    _ status: StatusClass, _ reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> Step {
    switch status {
    case .unauthorised, .forbidden:
      return post(taking: reply, from: login.checkURL, input)
    case .redirected:
      let target = try learnPage(reply)
      guard target.origin == login.loginURL.origin else {
        return post(taking: reply, from: login.checkURL, input)
      }
      state = .visiting
      let jar = received(reply, from: login.checkURL, input)
      follower = RedirectFollower(login.form(), jar: jar)
      let visit = HTTPRequest("GET", target, limits: .login)
      return .send(visit.carrying(jar, at: input.moment))
    case .accepted:
      throw .unprovable(
        .proofPublic, of: CheckURL.name,
        remedy: "Give a check URL that only logged-in users can read.",
        status: reply.status)
    case .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.checkURL, setting: "checkURL")
    }
  }

  private mutating func learnPage(_ reply: HTTPReply) throws(GatebookError) -> HTTPURL {
    guard let target = reply.fields.first("Location").flatMap({ login.checkURL.resolve($0) }),
      !LoginPage.isSpelling(target, of: login.checkURL)
    else { throw .moved(reply, from: login.checkURL) }
    page = LoginPage(target, learnedFrom: login.checkURL)
    return target
  }

  private func received(_ reply: HTTPReply, from url: HTTPURL, _ input: Input) -> CookieJar {
    var jar = follower.jar
    _ = jar.receive(reply, from: url, at: input.moment.wall, suffixes: input.suffixes)
    return jar
  }

  // MARK: The password

  private mutating func post(taking reply: HTTPReply, from url: HTTPURL, _ input: Input) -> Step {
    state = .posting
    follower = RedirectFollower(login.form(), jar: received(reply, from: url, input))
    return .send(follower.request(at: input.moment.wall))
  }

  private mutating func posted(
    _ status: StatusClass, _ reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> Step {
    switch status {
    case .accepted:
      isAnsweredByStranger = !login.isForm(reply)
      return try followed(reply, from: login.loginURL, input)
    case .redirected:
      guard reply.status < 307 else { throw .moved(reply, from: login.loginURL) }
      return try followed(reply, from: login.loginURL, input)
    case .unauthorised: throw Self.credentialsRefused(reply)
    case .forbidden where reply.body.isEmpty, .refused where Self.isBareRefusal(reply):
      throw Self.credentialsRefused(reply)
    case .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.loginURL, setting: "loginURL")
    }
  }

  private static func isBareRefusal(_ reply: HTTPReply) -> Bool {
    reply.status == 400 && reply.body.isEmpty
  }

  // MARK: After the password

  private mutating func followed(
    _ reply: HTTPReply, from url: HTTPURL, _ input: Input
  ) throws(GatebookError) -> Step {
    guard !isSentToPage(reply, from: url) else {
      // The form's own answer is about the password; a later page may also miss the cookie.
      throw url == login.loginURL ? Self.credentialsRefused(reply) : Self.refusedBehind(reply)
    }
    do {
      switch try follower.next(reply, at: input.moment.wall, suffixes: input.suffixes) {
      case .send(let request):
        state = .following(request.url)
        return .send(request)
      case .arrived:
        return check(input)
      }
    } catch {
      // The check URL decides, wherever the server would have sent a browser.
      guard error.code == .originForeign else { throw error }
      wasSentElsewhere = true
      return check(input)
    }
  }

  private func isSentToPage(_ reply: HTTPReply, from url: HTTPURL) -> Bool {
    guard case .redirected = StatusClass(reply.status), let page else { return false }
    return page.isTarget(reply.fields.first("Location").flatMap { url.resolve($0) })
  }

  private mutating func check(_ input: Input) -> Step {
    state = .checking
    let request = HTTPRequest("GET", login.checkURL, limits: .login)
    return .send(request.carrying(follower.jar, at: input.moment))
  }

  private mutating func checked(
    _ status: StatusClass, _ reply: HTTPReply, _ input: Input
  ) throws(GatebookError) -> Step {
    state = .ended
    switch status {
    case .accepted:
      return .finish(
        Outcome(
          person: login.person, evidence: .check, attributes: UserAttributes(),
          proof: FormProof(login, page: page), jar: received(reply, from: login.checkURL, input)))
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
