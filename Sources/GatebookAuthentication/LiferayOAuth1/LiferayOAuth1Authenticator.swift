internal import GatebookEvents

/// Logs in to a portal with OAuth 1.0a, and asks it for whom it takes the token's owner.
///
/// ```
/// ready       --start------------------------> shaking     the handshake's first step
/// shaking     --answers, the redirect--------> as in OAuth1Handshake
/// shaking     --token granted----------------> identifying get-current-user, signed
/// identifying --200 with userId--------------> finish
/// identifying --timestamp refused, first time> identifying signed anew by the server's clock
/// identifying --401, a guest's answer--------> token.refused
/// identifying --any other answer-------------> the code of LiferayAnswer
/// all         --no answer--------------------> the transport's code
/// ```
struct LiferayOAuth1Authenticator: OAuth1Handshake {
  /// Frozen: it is stored in events.
  static let method = LiferayOAuth1Proof.method

  var turn = Turn<Self>.ready
  var visit: OAuth1Visit?
  private let login: LiferayOAuth1Login

  init(_ login: LiferayOAuth1Login) {
    self.login = login
  }

  mutating func begin(_ input: Input) throws(GatebookError) -> Step {
    try shake(try login.oauth(), input)
  }

  mutating func granted(
    _ session: OAuth1Session, _ input: Input
  ) throws(GatebookError) -> Step {
    try identify(session, at: login.portal, jar: CookieJar(), for: .tokenLogin, input)
  }
}

extension LiferayOAuth1Authenticator: StoredRecord {
  /// The machine that waits for its redirect.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    login = try facts.required("login", kept?.login)
    let visit = try facts.required("handshake", kept?.visit)
    guard let oauth = try? login.oauth() else { throw Unreadable() }
    wait(for: visit, by: oauth)
  }
}
