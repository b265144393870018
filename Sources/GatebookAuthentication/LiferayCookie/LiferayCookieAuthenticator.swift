internal import GatebookCrypto
internal import GatebookEvents

/// Logs in to a portal by its form, and proves a session of that kind.
///
/// ```
/// ready       --start of a login---------------> posting      POST /c/portal/login, sent once
/// ready       --start of a proof---------------> identifying  get-current-user with the token kept,
///                                                or fetching(fresh) when it is another session's
/// posting     --redirects----------------------> fetching(afterLogin)   GET, same origin
/// posting     --307, 308-----------------------> server.moved: no password is sent again
/// posting     --page with a token--------------> identifying  get-current-user
/// posting     --403, first time----------------> fetching(forLogin)     GET / for a guest's token
/// posting     --403 again----------------------> server.refused
/// posting     --401 with challenges------------> challenge.unhandled, without: credentials.refused
/// posting     --404 405 410 415----------------> configuration.invalid
/// posting     --other--------------------------> server.refused
/// fetching    --redirects----------------------> fetching, at most 10 hops, same origin
/// fetching(afterLogin) --page with a token-----> identifying  get-current-user
/// fetching(forLogin)   --page with a token-----> posting      with p_auth
/// fetching(fresh)      --page with a token-----> identifying, for the last time
/// posting, fetching    --page without a token--> content.unexpected
/// identifying --200 with userId----------------> finish
/// identifying --403 for the token, first time--> fetching(fresh)        GET / with the jar
/// identifying --any other answer---------------> the code of LiferayAnswer
/// posting, fetching --408 425 429 5xx----------> server.unavailable
/// all         --no answer----------------------> the transport's code
/// ```
///
/// Only the 200 with a `userId` is a login: the page after a wrong password has a token too.
struct LiferayCookieAuthenticator: Authenticator {
  private enum Page {
    case afterLogin
    case forLogin
    case fresh
  }

  private enum State {
    case ready
    case posting(withToken: Bool)
    case fetching(Page)
    case identifying(LiferaySessionToken, mayFetch: Bool)
    case ended
  }

  private var state = State.ready
  private let login: LiferayCookieLogin
  private let purpose: LiferayPurpose
  private let kept: LiferaySessionToken?
  private var jar: CookieJar
  private var follower: RedirectFollower?

  /// Makes a login with a jar of its own.
  init(_ login: LiferayCookieLogin) {
    self.login = login
    purpose = .cookieLogin
    kept = nil
    jar = CookieJar()
  }

  /// Makes the proof of a session.
  init(_ login: LiferayCookieLogin, verifying token: LiferaySessionToken, jar: CookieJar) {
    self.login = login
    purpose = .verification
    kept = token
    self.jar = jar
  }

  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    switch (state, Answer(input)) {
    case (.ready, .begun):
      guard let kept else {
        try login.check()
        return try post(token: nil, input)
      }
      let portal = try login.portal.url("")
      guard kept.fits(jar, portal, at: input.moment) else { return try fetch(.fresh, input) }
      return try identify(kept, mayFetch: true, input)
    case (.posting(let withToken), .reply(let status, let reply)):
      return try posted(status, reply, withToken: withToken, input)
    case (.fetching(let page), .reply(_, let reply)):
      return try arrived(reply, page, input)
    case (.identifying(let token, let mayFetch), .reply(_, let reply)):
      return try identified(reply, token, mayFetch: mayFetch, input)
    case (.posting, .missing(let failure)), (.fetching, .missing(let failure)),
      (.identifying, .missing(let failure)):
      throw failure.error
    case (.ready, .reply), (.ready, .missing), (.posting, .begun), (.fetching, .begun),
      (.identifying, .begun), (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  // MARK: The form

  private mutating func post(token: String?, _ input: Input) throws(GatebookError) -> Step {
    state = .posting(withToken: token != nil)
    return .send(try begin(login.form(token: token), input))
  }

  private mutating func posted(
    _ status: StatusClass, _ reply: HTTPReply, withToken: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    switch status {
    case .accepted: return try arrived(reply, .afterLogin, input)
    case .redirected:
      guard reply.status < 307 else { throw .moved(reply, from: login.portal.server) }
      return try arrived(reply, .afterLogin, input)
    case .forbidden where !withToken:
      return try fetch(.forLogin, input)
    case .unauthorised:
      throw reply.challenges.isEmpty
        ? .credentialsRefused(status: reply.status) : HTTPChallenge.unhandled(reply)
    case .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.portal.server, setting: "server")
    }
  }

  // MARK: Pages with a token

  private mutating func fetch(_ page: Page, _ input: Input) throws(GatebookError) -> Step {
    state = .fetching(page)
    return .send(try begin(HTTPRequest("GET", login.portal.url(""), limits: .login), input))
  }

  private mutating func begin(_ request: HTTPRequest, _ input: Input) -> HTTPRequest {
    let follower = RedirectFollower(request, jar: jar, extras: LiferayCookies.extras)
    self.follower = follower
    return follower.request(at: input.moment.wall)
  }

  private mutating func arrived(
    _ reply: HTTPReply, _ page: Page, _ input: Input
  ) throws(GatebookError) -> Step {
    guard var follower else { throw .loginOutOfOrder }
    let move = try follower.next(reply, at: input.moment.wall, suffixes: input.suffixes)
    self.follower = follower
    jar = follower.jar
    switch move {
    case .send(let request):
      state = .fetching(page)
      return .send(request)
    case .arrived(let reply, let url):
      if case .unavailable = StatusClass(reply.status) { throw .unavailable(reply, at: url) }
      guard let token = LiferayToken.find(in: reply.body) else { throw Self.noToken(reply) }
      return try proceed(page, with: token, input)
    }
  }

  private mutating func proceed(
    _ page: Page, with token: String, _ input: Input
  ) throws(GatebookError) -> Step {
    let session = LiferayCookies.session(in: jar, try login.portal.url(""), at: input.moment)
    let bound = LiferaySessionToken(value: Secret(token), session: session)
    switch page {
    case .afterLogin: return try identify(bound, mayFetch: true, input)
    case .forLogin: return try post(token: token, input)
    case .fresh: return try identify(bound, mayFetch: false, input)
    }
  }

  private static func noToken(_ reply: HTTPReply) -> GatebookError {
    .unexpected(
      "The portal's page has no CSRF token.",
      remedy:
        "A portal with single sign-on or another login page in front of it needs another mode.",
      status: reply.status)
  }

  // MARK: The proof

  private mutating func identify(
    _ token: LiferaySessionToken, mayFetch: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    state = .identifying(token, mayFetch: mayFetch)
    let request = try LiferayCommand.request(
      [.currentUser(login.portal.version)], to: login.portal)
    return .send(
      LiferayCookies.carry(jar, on: request, at: input.moment)
        .replacing(token.field))
  }

  private mutating func identified(
    _ reply: HTTPReply, _ token: LiferaySessionToken, mayFetch: Bool, _ input: Input
  ) throws(GatebookError) -> Step {
    let url = try login.portal.url("api/jsonws/invoke")
    _ = jar.receive(reply, from: url, at: input.moment.wall, suffixes: input.suffixes)
    let answer = LiferayAnswer(reply)
    switch answer {
    case .results(let results):
      state = .ended
      let user = try LiferayUserRecord(results.first, status: reply.status)
      return .finish(
        Outcome(
          person: user.person(at: login.portal, loginName: login.login), evidence: .identity,
          attributes: user.attributes, proof: LiferayCookieProof(login, token: token), jar: jar))
    case .tokenMissing where mayFetch, .forbidden where mayFetch:
      return try fetch(.fresh, input)
    case .unauthorised, .moved, .accessDenied, .tokenMissing, .forbidden, .notFound,
      .serviceMissing, .exception, .unavailable, .unexpectedContent, .misplaced, .refused:
      throw answer.error(reply, purpose, login.portal)
    }
  }
}
