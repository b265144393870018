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
  /// Takes what was found, when the last question was sent, and its answer.
  typealias Take<Machine> =
    @Sendable (inout Machine, ServerMetadata, _ sent: Moment?, Input) throws -> Step

  /// Why there is nothing of now.
  fileprivate struct Miss {
    var error: GatebookError
    let demandedPause: Duration?

    /// What was known before, with the note that it was asked for again in vain.
    func noted(in metadata: ServerMetadata, _ input: Input) -> ServerMetadata {
      var metadata = metadata
      metadata.missed = input.moment.wall
      metadata.demandedPause = demandedPause
      return metadata
    }
  }

  fileprivate let issuer: Issuer
  fileprivate let lastGood: ServerMetadata?
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

  /// Why an answer has no metadata.
  fileprivate func failure(_ arrival: Arrival, at url: HTTPURL) -> GatebookError {
    let reply = arrival.reply
    guard case .accepted = arrival.status else {
      return .answered(reply, at: url, setting: "issuer")
    }
    return .atLogin(
      .contentUnexpected, .description, remedy: "Check the issuer, or set the endpoints yourself.",
      status: reply.status)
  }

  fileprivate var openIDURL: HTTPURL { issuer.descriptions[0] }

  fileprivate var oauthURL: HTTPURL { issuer.descriptions[1] }

  fileprivate func request(_ url: HTTPURL, _ recall: Recall? = nil) -> HTTPRequest {
    var request = HTTPRequest(
      "GET", url, fields: [HTTPField("Accept", "application/json")],
      limits: lastGood == nil ? .endpoint : Self.patience)
    request.recall = recall ?? (isForced ? .never : .whileFresh)
    return request
  }

  /// The limits of a request whose answer is not needed to continue: a caller may be waiting.
  private static let patience = HTTPLimits(
    connect: .seconds(5), total: .seconds(5), body: HTTPLimits.endpoint.body)
}

extension ReplyAuthenticator {
  /// Finds out about a server by its issuer.
  ///
  /// - Parameters:
  ///   - discovery: How.
  ///   - input: What happened before.
  ///   - take: What continues.
  /// - Returns: The step.
  mutating func discover(
    by discovery: Discovery, _ input: Input, then take: @escaping Discovery.Take<Self>
  ) -> Step {
    seek(discovery, after: nil, input, take)
  }

  /// Asks at the first place, or after a failure there at the second one.
  private mutating func seek(
    _ discovery: Discovery, after former: GatebookError?, _ input: Input,
    _ take: @escaping Discovery.Take<Self>
  ) -> Step {
    let sent = input.moment
    let url = former == nil ? discovery.openIDURL : discovery.oauthURL
    return send(discovery.request(url)) { machine, arrival in
      let (reply, input) = (arrival.reply, arrival.input)
      var failure: GatebookError
      if let metadata = ServerMetadata(reply, sent: sent, arrived: input.moment) {
        // Equal byte for byte (OpenID Connect Discovery 1.0 section 4.3).
        guard !discovery.issuer.isNamed(metadata.issuer) else {
          return try take(&machine, metadata, sent, input)
        }
        failure = IssuerMismatch(discovery.issuer, said: metadata.issuer)
          .error(status: reply.status)
      } else {
        failure = discovery.failure(arrival, at: url)
        let isDown = failure.code == .serverUnavailable
        guard former != nil || isDown else {
          return machine.seek(discovery, after: failure, input, take)
        }
        // The first place is the one that people know; trouble at the second may pass.
        if let former, former.code != .configurationInvalid || !isDown { failure = former }
      }
      let pause = reply.retryAfter(at: input.moment.wall)
      // The answer of the next place has no Retry-After of this one.
      if failure.code == .serverUnavailable { failure.retryAfter = pause }
      let miss = Discovery.Miss(error: failure, demandedPause: pause)
      return try machine.settle(discovery, miss, sent, input, take)
    } missing: { machine, failure, input in
      let miss = Discovery.Miss(error: failure.error, demandedPause: nil)
      return try machine.settle(discovery, miss, sent, input, take)
    }
  }

  /// Ends with what was found before, or with what another process has found while the server is
  /// down.
  ///
  /// A failure that a person decided on does not say that the server is down.
  private mutating func settle(
    _ discovery: Discovery, _ miss: Discovery.Miss, _ sent: Moment, _ input: Input,
    _ take: @escaping Discovery.Take<Self>
  ) throws -> Step {
    if let lastGood = discovery.lastGood {
      return try take(&self, miss.noted(in: lastGood, input), sent, input)
    }
    guard
      [.serverUnavailable, .networkUnreachable, .contentUnexpected].contains(miss.error.code)
    else { throw miss.error }
    return try recall(discovery, at: [discovery.openIDURL, discovery.oauthURL], miss, take)
  }

  /// Asks for what somebody else found at the server.
  private mutating func recall(
    _ discovery: Discovery, at places: ArraySlice<HTTPURL>, _ miss: Discovery.Miss,
    _ take: @escaping Discovery.Take<Self>
  ) throws(GatebookError) -> Step {
    guard let place = places.first else { throw miss.error }
    let others = places.dropFirst()
    return send(discovery.request(place, .always)) { machine, arrival in
      let (reply, input) = (arrival.reply, arrival.input)
      guard reply.recalled != nil,
        let found = ServerMetadata(reply, sent: input.moment, arrived: input.moment),
        discovery.issuer.isNamed(found.issuer)
      else { return try machine.recall(discovery, at: others, miss, take) }
      return try take(&machine, miss.noted(in: found, input), nil, input)
    } missing: { machine, _, _ in
      try machine.recall(discovery, at: others, miss, take)
    }
  }
}
