/// Answers the challenges of one server with one credential (RFC 9110 section 11, RFC 7616, RFC
/// 7617), and remembers between requests what the server asked for.
///
/// A value without I/O: each request goes through `authorise` before it is sent, and its reply
/// through `receive`, together with the attempt that `authorise` returned.
///
/// ```
/// var attempt = authorizer.authorise(request, random: random.bytes(16))
/// while true {
///   let reply = try await transport.send(attempt.request, through: route)
///   switch authorizer.receive(reply, to: attempt, random: random.bytes(16)) {
///   case .resend(let next): attempt = next
///   …
/// ```
///
/// Requests may overlap: each takes its own nonce count before it is sent, and each reply is judged
/// by what its own request was sent with. No server can make a request loop. It is sent without
/// credentials, then with them, and once more if the server calls the nonce stale, or replaces a
/// nonce that it had accepted before. It is sent one more time only if a server that had asked for
/// Basic now asks for Digest.
///
/// The strongest challenge that can be answered wins (RFC 7616 section 3.7 leaves that to local
/// policy): Digest with SHA-512-256, SHA-256, MD5, then Basic. After one was answered, weaker ones
/// and other realms are refused.
package struct HTTPAuthorizer: Sendable {
  private enum Scheme: Sendable {
    case basic([ProtectionSpace])
    case digest(DigestSession)
  }

  /// The one server that gets answers.
  package let server: Origin
  /// What is answered with.
  package let credential: HTTPCredential
  /// The realm that the credential belongs to; `nil` until a challenge was answered.
  package private(set) var realm: String?

  private let allowsCleartext: Bool
  private var scheme: Scheme?
  /// Nothing weaker is answered.
  package private(set) var floor: HTTPStrength
  private var counts = NonceCounts()
  /// The nonce of the last answer that the server accepted.
  private var acceptedNonce: String?

  /// Makes an authorizer that knows nothing of its server yet.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - credential: What to answer with.
  ///   - realm: The only realm to answer; `nil` for the first one that asks.
  ///   - allowsCleartext: Whether a password may go by Basic to another machine without TLS.
  ///   - floor: What is at least asked of a challenge: nothing weaker is ever answered.
  package init(
    _ server: Origin, credential: HTTPCredential, realm: String? = nil,
    allowsCleartext: Bool = false, floor: HTTPStrength = .basic
  ) {
    self.floor = floor
    self.server = server
    self.credential = credential
    self.realm = realm
    self.allowsCleartext = allowsCleartext
  }

  /// Makes the authorizer of a kept session.
  ///
  /// A password was kept because the server had asked for Basic: it goes into the protection space
  /// around the URL at once. Digest waits for the server's nonce.
  ///
  /// - Parameters:
  ///   - credential: What the session keeps.
  ///   - realm: The realm that it was proven in.
  ///   - url: The URL that it was proven at.
  package init(keeping credential: HTTPCredential, realm: String, provenAt url: HTTPURL) {
    // What permits cleartext was asked for at the login, and is recorded.
    self.init(
      url.origin, credential: credential, realm: realm, allowsCleartext: true,
      floor: credential.floor)
    if credential.basicField != nil { scheme = .basic([ProtectionSpace(around: url)]) }
  }

  /// The hash that Digest is answered with; `nil` as long as it is not.
  package var digestHash: DigestHash? {
    guard case .digest(let session) = scheme else { return nil }
    return session.challenge.algorithm.hash
  }

  /// Adds `Authorization` where the server is known to want it; else the request stays as it is.
  ///
  /// A field that the app had set gives way.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - random: At least 16 fresh random bytes.
  /// - Returns: What to send.
  package mutating func authorise(_ request: HTTPRequest, random: [UInt8]) -> HTTPAttempt {
    let isCovered =
      switch scheme {
      case .basic(let spaces): spaces.contains { $0.contains(request.url) }
      case .digest(let session): session.space.contains(request.url)
      case nil: false
      }
    return isCovered ? answer(request, random, staleNonces: 0) : HTTPAttempt(request)
  }

  /// Whether ``authorise(_:random:)`` reads the body of that request: a server wants it protected
  /// (`auth-int`, RFC 7616 section 3.4.3).
  package func signsBody(of request: HTTPRequest) -> Bool {
    guard case .digest(let session) = scheme, session.space.contains(request.url) else {
      return false
    }
    return session.challenge.quality == .integrity
  }

  /// Judges a reply, and learns from it.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - attempt: What it replies to.
  ///   - random: At least 16 fresh random bytes, not those of `authorise`.
  /// - Returns: What is to be done.
  package mutating func receive(
    _ reply: HTTPReply, to attempt: HTTPAttempt, random: [UInt8]
  ) -> Verdict {
    guard reply.status == 401 else { return settle(reply, attempt) }
    let offered = reply.challenges
    guard attempt.request.url.origin == server, let challenge = choose(among: offered) else {
      return attempt.isAnswer && offered.isEmpty ? .refused : .unhandled(offered)
    }
    adopt(challenge, from: attempt.request.url, random)
    switch (attempt.answer, challenge) {
    case (nil, _), (.basic, .digest): break
    case (.digest, .digest(let challenge, _)) where challenge.isStale:
      guard attempt.staleNonces < Self.maximumStaleNonces else { return .stale }
    case (.digest(let answer), .digest(let challenge, _))
    where isReplaced(answer, by: challenge, attempt):
      break
    // "If stale is false, or anything other than true, or the stale parameter is not present, the
    // username and/or password are invalid" (RFC 7616 section 3.3).
    case (.basic, .basic), (.digest, .digest), (.digest, .basic): return .refused
    }
    let isStale = if case .digest = attempt.answer { true } else { false }
    let next = answer(
      attempt.request, random, staleNonces: isStale ? attempt.staleNonces + 1 : 0)
    return next.isAnswer ? .resend(next) : .unhandled(offered)
  }

  /// Whether a server that accepted an answer's nonce before now gives a new one: that refuses the
  /// nonce, and not the password (RFC 7616 section 3.6).
  private func isReplaced(
    _ answer: DigestAnswer, by challenge: DigestChallenge, _ attempt: HTTPAttempt
  ) -> Bool {
    let nonce = answer.challenge.nonce
    return attempt.staleNonces == 0 && acceptedNonce?.utf8.elementsEqual(nonce.utf8) == true
      && !challenge.nonce.utf8.elementsEqual(nonce.utf8)
  }

  /// Some servers take a nonce count that arrives late for a stale nonce, and that may happen
  /// again; a server that calls each nonce stale is not asked forever.
  private static let maximumStaleNonces = 4

  private mutating func answer(
    _ request: HTTPRequest, _ random: [UInt8], staleNonces: Int
  ) -> HTTPAttempt {
    switch scheme {
    case .basic:
      guard let field = credential.basicField else { return HTTPAttempt(request) }
      return HTTPAttempt(request.replacing(field), answer: .basic)
    case .digest(let session):
      guard let answer = session.answer(request, counts: &counts, random: random) else {
        return HTTPAttempt(request)
      }
      var request = request.replacing(answer.field)
      if answer.challenge.quality == .integrity {
        // `rspauth` is over the body as it travels: it must not be coded on its way.
        request = request.replacing(HTTPField("Accept-Encoding", "identity"))
        // It is checked before anybody gets a byte of it.
        request.sink = nil
      }
      return HTTPAttempt(request, answer: .digest(answer), staleNonces: staleNonces)
    case nil: return HTTPAttempt(request)
    }
  }

  /// A challenge that can be answered, with what answers it.
  private enum Candidate {
    case basic(realm: String)
    case digest(DigestChallenge, DigestKey)

    var realm: String {
      switch self {
      case .basic(let realm): realm
      case .digest(let challenge, _): challenge.realm
      }
    }

    var strength: HTTPStrength {
      switch self {
      case .basic: .basic
      case .digest(let challenge, _): .digest(challenge.algorithm.hash)
      }
    }
  }

  /// The strongest challenge that may be answered; of equal ones the server's first.
  private func choose(among challenges: [AuthenticationChallenge]) -> Candidate? {
    var best: Candidate?
    for challenge in challenges {
      guard let candidate = candidate(challenge), candidate.strength >= floor,
        realm.map({ $0.utf8.elementsEqual(candidate.realm.utf8) }) ?? true
      else { continue }
      if let known = best, known.strength >= candidate.strength { continue }
      best = candidate
    }
    return best
  }

  private func candidate(_ challenge: AuthenticationChallenge) -> Candidate? {
    if let challenge = DigestChallenge(challenge) {
      return credential.key(for: challenge).map { .digest(challenge, $0) }
    }
    guard challenge.scheme == "basic", challenge.token68 == nil, credential.basicField != nil,
      allowsCleartext || server.isSecure || server.isLoopback
    else { return nil }
    return .basic(realm: challenge.realm ?? "")
  }

  private mutating func adopt(_ candidate: Candidate, from url: HTTPURL, _ random: [UInt8]) {
    realm = candidate.realm
    floor = candidate.strength
    switch candidate {
    case .basic:
      let space = ProtectionSpace(around: url)
      guard case .basic(let spaces) = scheme else {
        scheme = .basic([space])
        return
      }
      if spaces.contains(where: { $0.contains(url) }) { return }
      // Enough for any server's realm; beyond, the oldest folders ask once more.
      scheme = .basic(spaces.suffix(Self.maximumSpaces - 1) + [space])
    case .digest(let challenge, let key):
      if case .digest(let session) = scheme, session.isBegun(by: challenge) { return }
      scheme = .digest(
        DigestSession(
          challenge, at: server, user: credential.user, key: key, random: random))
    }
  }

  private static let maximumSpaces = 64

  /// A reply that is no challenge: checks that the server knows the password too, if it says so.
  private mutating func settle(_ reply: HTTPReply, _ attempt: HTTPAttempt) -> Verdict {
    guard case .digest(let answer) = attempt.answer else { return .final }
    let values = reply.fields.values(of: "Authentication-Info")
    guard !values.isEmpty else {
      acceptedNonce = answer.challenge.nonce
      return .final
    }
    // What cannot be read cannot be checked, and is not what an honest server sends.
    guard let info = AuthenticationInfo(values), answer.isConfirmed(by: info, reply) else {
      return .untrusted
    }
    acceptedNonce = answer.challenge.nonce
    if let nonce = info.nextNonce, case .digest(var session) = scheme {
      session.goOn(with: nonce, after: answer)
      scheme = .digest(session)
    }
    return .final
  }

  /// What a reply says about the authentication, and what is to be done.
  package enum Verdict: Sendable {
    /// Nothing: the reply is the caller's, whatever its status.
    case final
    /// Send this at once and hand its reply in; nobody is asked.
    case resend(HTTPAttempt)
    /// The server refused name or password.
    case refused
    /// The server calls the second nonce too old as well; that says nothing about name and
    /// password.
    case stale
    /// The server asks for what this authorizer does not answer: another scheme, another realm,
    /// something weaker than before. Empty when it does not say what it asks for.
    case unhandled([AuthenticationChallenge])
    /// The reply comes from somebody who does not know the password; it must not be used.
    case untrusted
  }
}

// MARK: Challenges

// MARK: Replies
