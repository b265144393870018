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
struct LiferayCookieAuthenticator: ReplyAuthenticator {
  /// Why a page with a token is asked for.
  private enum Page {
    case afterLogin
    case forLogin
    case fresh
  }

  var turn = Turn<Self>.ready
  private let login: LiferayCookieLogin
  private let purpose: LiferayPurpose
  private let kept: LiferaySessionToken?
  private var jar: CookieJar

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

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    guard let kept else {
      try login.check()
      return try post(token: nil, input)
    }
    let portal = try login.portal.url("")
    guard kept.fits(jar, portal, at: input.moment) else { return try fetch(.fresh, input) }
    return try identify(kept, mayFetch: true, input)
  }

  // MARK: The form

  private mutating func post(token: String?, _ input: Input) throws(GatebookError) -> Step {
    let follower = follower(try login.form(token: token))
    return send(follower.request(at: input.moment.wall)) {
      try $0.posted($1, follower, withToken: token != nil)
    }
  }

  private func follower(_ request: HTTPRequest) -> RedirectFollower {
    RedirectFollower(request, jar: jar, extras: LiferayCookies.extras)
  }

  private mutating func posted(
    _ arrival: Arrival, _ follower: RedirectFollower, withToken: Bool
  ) throws(GatebookError) -> Step {
    let reply = arrival.reply
    switch arrival.status {
    case .accepted: return try arrived(arrival, follower, .afterLogin)
    case .redirected where reply.status < 307: return try arrived(arrival, follower, .afterLogin)
    case .forbidden where !withToken:
      return try fetch(.forLogin, arrival.input)
    case .unauthorised:
      throw reply.challenges.isEmpty
        ? .credentialsRefused(status: reply.status) : HTTPChallenge.unhandled(reply)
    case .redirected, .forbidden, .misplaced, .unavailable, .refused:
      throw .answered(reply, at: login.portal.server, setting: "server")
    }
  }

  // MARK: Pages with a token

  private mutating func fetch(_ page: Page, _ input: Input) throws(GatebookError) -> Step {
    let follower = follower(HTTPRequest("GET", try login.portal.url(""), limits: .login))
    return send(follower.request(at: input.moment.wall)) { try $0.arrived($1, follower, page) }
  }

  private mutating func arrived(
    _ arrival: Arrival, _ follower: RedirectFollower, _ page: Page
  ) throws(GatebookError) -> Step {
    var follower = follower
    let move = try follower.next(arrival)
    jar = follower.jar
    switch move {
    case .send(let request):
      return send(request) { [follower] in try $0.arrived($1, follower, page) }
    case .arrived(let reply, let url):
      if case .unavailable = arrival.status { throw .unavailable(reply, at: url) }
      guard let token = LiferayToken.find(in: reply.body) else { throw Self.noToken(reply) }
      return try proceed(page, with: token, arrival.input)
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
    let request = try LiferayCommand.request(
      [.currentUser(login.portal.version)], to: login.portal)
    let carried = LiferayCookies.carry(jar, on: request, at: input.moment)
    return send(carried.replacing(token.field)) {
      try $0.identified($1, token, mayFetch: mayFetch, at: request.url)
    }
  }

  private mutating func identified(
    _ arrival: Arrival, _ token: LiferaySessionToken, mayFetch: Bool, at url: HTTPURL
  ) throws(GatebookError) -> Step {
    let reply = arrival.reply
    jar.take(arrival, from: url)
    if mayFetch, [.tokenMissing, .forbidden].contains(LiferayAnswer(reply)) {
      return try fetch(.fresh, arrival.input)
    }
    let user = try LiferayUserRecord(in: reply, purpose, login.portal)
    return .finish(
      user.outcome(
        user.person(at: login.portal, loginName: login.login),
        LiferayCookieProof(login, token: token), jar: jar))
  }
}
