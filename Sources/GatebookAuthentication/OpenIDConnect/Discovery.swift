internal import GatebookEvents

/// Finds out about a server by its issuer alone.
///
/// ```
/// ready    --begin-----------------------------> asking 1  {issuer}/.well-known/openid-configuration
/// asking 1 --200 that is metadata--------------> done, or configuration.invalid for another issuer
/// asking 1 --no metadata-----------------------> asking 2  the place of RFC 8414 section 3.1
/// asking 2 --200 that is metadata--------------> done, or configuration.invalid for another issuer
/// asking 2 --no metadata-----------------------> the code of what was answered
/// both     --408 425 429 5xx, no answer--------> kept       what somebody else found there
/// kept     --metadata of the issuer------------> done
/// kept     --none------------------------------> server.unavailable, the transport's code
/// ```
///
/// Where the session found the server before, every failure ends with what was found then: a server
/// that is down, or that describes itself wrongly, takes no session's endpoints away. It then gets
/// less time, and is left alone for a while.
struct Discovery: Sendable {
  private enum State {
    case ready
    case openID(sent: Moment)
    case oauth(sent: Moment, former: GatebookError)
    case kept(Miss, at: HTTPURL)
    case ended
  }

  /// Why there is nothing of now.
  private struct Miss {
    var error: GatebookError
    let demandedPause: Duration?
  }

  private var state = State.ready
  private let issuer: Issuer
  private let lastGood: ServerMetadata?
  private let isForced: Bool

  /// Makes a discovery.
  ///
  /// - Parameters:
  ///   - issuer: The server.
  ///   - lastGood: What was found the last time.
  ///   - isForced: Whether what is known has turned out to be wrong, so that nothing but an answer
  ///     of now will do.
  init(_ issuer: Issuer, lastGood: ServerMetadata? = nil, isForced: Bool = false) {
    self.issuer = issuer
    self.lastGood = lastGood
    self.isForced = isForced
  }

  /// When the request that is under way was sent; `nil` for none.
  var sent: Moment? {
    switch state {
    case .openID(let sent), .oauth(let sent, _): sent
    case .ready, .kept, .ended: nil
    }
  }

  /// Refuses an issuer that cannot be one, before anything is sent.
  ///
  /// - Throws: `configuration.invalid`.
  static func check(_ issuer: Issuer) throws(GatebookError) {
    // OpenID Connect Discovery 1.0 section 3: "no query or fragment components".
    guard issuer.url.query == nil, !issuer.description.utf8.contains(UInt8(ascii: "#")) else {
      throw .setting(
        "issuer", "it has a query or a fragment.",
        remedy: "Give the issuer exactly as the server writes it.")
    }
    if let issuer = issuer.withoutDescription {
      throw GatebookError.setting(
        "issuer", "it is the URL of the server's metadata.",
        remedy: "Leave out what follows the issuer: give \(issuer)."
      ).fitting(issuer)
    }
    let origin = issuer.url.origin
    guard origin.isSecure || origin.isLoopback else {
      throw .setting("issuer", "it does not use TLS.", remedy: "Give an issuer with https.")
    }
  }

  /// Asks for the metadata.
  mutating func begin(_ input: Input) -> Step {
    state = .openID(sent: input.moment)
    return .send(request(openIDURL, isForced ? .never : .whileFresh))
  }

  /// Takes the answer to the request that is under way.
  mutating func next(_ input: Input) throws(GatebookError) -> Move<ServerMetadata> {
    if case .kept(let miss, let url) = state { return try recall(input, after: miss, from: url) }
    do throws(GatebookError) {
      return try ask(input)
    } catch {
      guard error.code != .preconditionFailed else { throw error }
      var miss = Miss(error: error, demandedPause: Self.demandedPause(input))
      // What is looked up in its place hides the answer that demanded it.
      if error.code == .serverUnavailable { miss.error.retryAfter = miss.demandedPause }
      if let lastGood {
        state = .ended
        return .done(missed(lastGood, miss, input))
      }
      guard Self.isDown(error) else { throw error }
      return recall(openIDURL, after: miss)
    }
  }

  /// Asks for what somebody else found at the server.
  private mutating func recall(_ url: HTTPURL, after miss: Miss) -> Move<ServerMetadata> {
    state = .kept(miss, at: url)
    return .step(.send(request(url, .always)))
  }

  /// Takes what somebody else found at the server, while it is down.
  private mutating func recall(
    _ input: Input, after miss: Miss, from url: HTTPURL
  ) throws(GatebookError) -> Move<ServerMetadata> {
    if case .reply(let reply) = input.happening, reply.recalled != nil,
      let found = ServerMetadata(reply, sent: input.moment, arrived: input.moment),
      issuer.isNamed(found.issuer)
    {
      state = .ended
      return .done(missed(found, miss, input))
    }
    guard url == openIDURL else {
      state = .ended
      throw miss.error
    }
    return recall(oauthURL, after: miss)
  }

  /// What was known before, with the note that it was asked for again in vain.
  private func missed(
    _ metadata: ServerMetadata, _ miss: Miss, _ input: Input
  ) -> ServerMetadata {
    var metadata = metadata
    metadata.missed = input.moment.wall
    metadata.demandedPause = miss.demandedPause
    return metadata
  }

  /// Whether a failure says that the server cannot answer now; one that a person decided on does
  /// not.
  private static func isDown(_ error: GatebookError) -> Bool {
    [.serverUnavailable, .networkUnreachable, .contentUnexpected].contains(error.code)
  }

  private static func demandedPause(_ input: Input) -> Duration? {
    guard case .reply(let reply) = input.happening else { return nil }
    return reply.retryAfter(at: input.moment.wall)
  }

  private mutating func ask(_ input: Input) throws(GatebookError) -> Move<ServerMetadata> {
    switch (state, Answer(input)) {
    case (.openID(let sent), .reply(let status, let reply)):
      if let metadata = ServerMetadata(reply, sent: sent, arrived: input.moment) {
        return .done(try accept(metadata, reply))
      }
      let failure = failure(status, reply, at: openIDURL)
      guard failure.code != .serverUnavailable else { throw failure }
      state = .oauth(sent: input.moment, former: failure)
      return .step(.send(request(oauthURL, isForced ? .never : .whileFresh)))
    case (.oauth(let sent, let former), .reply(let status, let reply)):
      if let metadata = ServerMetadata(reply, sent: sent, arrived: input.moment) {
        return .done(try accept(metadata, reply))
      }
      let failure = failure(status, reply, at: oauthURL)
      // The first place is the one that people know; trouble at the second may pass.
      throw former.code == .configurationInvalid && failure.code == .serverUnavailable
        ? failure : former
    case (.openID, .missing(let failure)), (.oauth, .missing(let failure)):
      throw failure.error
    case (.openID, .begun), (.openID, .redirected), (.oauth, .begun), (.oauth, .redirected),
      (.ready, _), (.kept, _), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private mutating func accept(
    _ metadata: ServerMetadata, _ reply: HTTPReply
  ) throws(GatebookError) -> ServerMetadata {
    state = .ended
    // Equal byte for byte (OpenID Connect Discovery 1.0 section 4.3).
    guard issuer.isNamed(metadata.issuer) else {
      throw IssuerMismatch(issuer, said: metadata.issuer).error(status: reply.status)
    }
    return metadata
  }

  private func failure(
    _ status: StatusClass, _ reply: HTTPReply, at url: HTTPURL
  ) -> GatebookError {
    switch status {
    case .accepted:
      .atLogin(
        .contentUnexpected, .description,
        remedy: "Check the issuer, or set the endpoints yourself.", status: reply.status)
    case .redirected, .unauthorised, .forbidden, .misplaced, .unavailable, .refused:
      .answered(reply, at: url, setting: "issuer")
    }
  }

  private var folder: String {
    issuer.url.path.hasSuffix("/") ? String(issuer.url.path.dropLast()) : issuer.url.path
  }

  /// OpenID Connect Discovery 1.0 section 4: at the issuer's end, "any terminating / MUST be
  /// removed".
  private var openIDURL: HTTPURL {
    HTTPURL(
      origin: issuer.url.origin, path: Array("\(folder)/.well-known/openid-configuration".utf8),
      query: nil)
  }

  /// RFC 8414 section 3.1: between host and path.
  private var oauthURL: HTTPURL {
    HTTPURL(
      origin: issuer.url.origin,
      path: Array("/.well-known/oauth-authorization-server\(folder)".utf8),
      query: nil)
  }

  private func request(_ url: HTTPURL, _ recall: Recall) -> HTTPRequest {
    var request = HTTPRequest(
      "GET", url, fields: [HTTPField("Accept", "application/json")],
      limits: lastGood == nil ? .endpoint : Self.patience)
    request.recall = recall
    return request
  }

  /// The limits of a request whose answer is not needed to continue: a caller may be waiting.
  private static let patience = HTTPLimits(
    connect: .seconds(5), total: .seconds(5), body: HTTPLimits.endpoint.body)
}
