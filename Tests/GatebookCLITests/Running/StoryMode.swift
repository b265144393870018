/// The ways to log in, each of which has a story of its own.
enum StoryMode: String, CaseIterable, Sendable {
  case liferayBasic = "liferay basic"
  case liferayCookie = "liferay cookie"
  case liferayOAuth = "liferay oauth"
  case liferayRedirect = "liferay oauth2-redirect"
  case liferayPassword = "liferay oauth2-password"
  case httpBasic = "http, Basic"
  case httpDigest = "http, Digest"
  case form
  case formSaved = "form --save-credentials"
  case oauth1
  case oauth2
  case oidc
  case mobileFirst = "mobilefirst"
  case fcsdk

  /// Whether the person visits a page of the server.
  var opensPage: Bool { [.liferayOAuth, .liferayRedirect, .oauth1, .oidc].contains(self) }

  /// Whether the session holds something to renew it with.
  var isRenewable: Bool {
    [.liferayCookie, .liferayRedirect, .liferayPassword, .formSaved, .oauth2, .oidc]
      .contains(self)
  }

  /// The events of the whole story, in the order of the log.
  var kinds: [String] { story.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// One line for each step: the book and the login; the restart offline; the renewal; the request;
  /// the logout.
  private var story: String {
    switch self {
    case .liferayBasic:
      """
      book.created login.started account.added login.succeeded attributes.changed account.switched
      session.restored

      session.verified
      logout.requested logout.completed
      """
    case .liferayCookie:
      """
      book.created login.started account.added login.succeeded attributes.changed cookies.changed \
      account.switched
      session.restored
      refresh.started refresh.succeeded cookies.changed

      logout.requested logout.completed
      """
    case .liferayOAuth:
      """
      book.created login.started challenge.received challenge.answered account.added \
      login.succeeded attributes.changed account.switched
      session.restored

      session.verified
      logout.requested logout.completed
      """
    case .liferayRedirect, .oidc:
      """
      book.created login.started challenge.received challenge.answered account.added \
      login.succeeded attributes.changed account.switched
      session.restored
      refresh.started refresh.succeeded

      logout.requested logout.completed
      """
    case .liferayPassword:
      """
      book.created login.started account.added login.succeeded attributes.changed account.switched
      session.restored
      refresh.started refresh.succeeded

      logout.requested logout.completed
      """
    case .httpDigest:
      // A portal protected by Digest: it sets cookies, and other ones once it has forgotten its
      // sessions.
      """
      book.created login.started challenge.received challenge.answered account.added \
      login.succeeded cookies.changed account.switched
      session.restored

      session.verified cookies.changed
      logout.requested logout.completed
      """
    case .httpBasic, .oauth1:
      """
      book.created login.started challenge.received challenge.answered account.added \
      login.succeeded account.switched
      session.restored

      session.verified
      logout.requested logout.completed
      """
    case .form:
      """
      book.created login.started account.added login.succeeded cookies.changed account.switched
      session.restored

      session.verified
      logout.requested logout.completed
      """
    case .formSaved:
      // The shop sets the same cookie again: nothing changes.
      """
      book.created login.started account.added login.succeeded cookies.changed credentials.saved \
      account.switched
      session.restored
      refresh.started refresh.succeeded

      logout.requested logout.completed
      """
    case .oauth2:
      // Another device; a check URL tells nothing about the person.
      """
      book.created login.started challenge.received challenge.answered account.added \
      login.succeeded account.switched
      session.restored
      refresh.started refresh.succeeded

      logout.requested logout.completed
      """
    case .mobileFirst:
      // The resource's scope is not known yet: a token for none, which is not enough, then the
      // check's answer and a token for the scope.
      """
      book.created login.started registration.created account.added login.succeeded \
      attributes.changed check.succeeded account.switched
      session.restored

      token.granted session.verified check.succeeded token.granted
      logout.requested logout.completed
      """
    case .fcsdk:
      """
      book.created login.started account.added login.succeeded attributes.changed cookies.changed \
      account.switched
      session.restored


      logout.requested logout.completed
      """
    }
  }
}
