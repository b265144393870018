internal import GatebookCrypto
internal import GatebookEvents

/// Tokens for a code that the person enters on another device (RFC 8628).
///
/// ```
/// ready   --begin-----------------------> asking    POST to the device authorization endpoint
/// asking  --200 with the codes----------> showing   the code is shown
/// asking  --any other-------------------> the code of TokenRefusal
/// showing --shown-----------------------> waiting   for the interval
/// waiting --waited----------------------> polling   POST to the token endpoint
/// waiting --the code is over------------> challenge.timedOut, or what kept the server from answering
/// polling --a grant---------------------> done
/// polling --authorization_pending-------> waiting
/// polling --slow_down-------------------> waiting   5 s longer from now on, or as the answer says
/// polling --no answer-------------------> waiting   twice as long from now on (section 3.5)
/// polling --408 425 429 5xx-------------> waiting   with back-off, Retry-After at least
/// polling --no error code, no tokens----> waiting   with back-off: something in between has answered
/// polling --404 405 410 415, redirect---> waiting   with back-off: likewise, whatever it says
/// polling --access_denied---------------> challenge.cancelled
/// polling --authorization_declined------> challenge.cancelled
/// polling --expired_token---------------> challenge.timedOut, or outcome.unknown
/// polling --any other error code--------> the code of TokenRefusal, or outcome.unknown
/// polling --tokens that cannot be read--> the code of TokenRefusal
/// ```
///
/// Only an error code ends the polling (section 3.5): a web page, an empty answer or a 404 between
/// two answers of the server must not cost the person's approval.
///
/// A code is good for one grant: refused after an answer that was lost or cut, it may have been
/// granted. The portal of a strange network, which answers in the server's place until somebody has
/// agreed to its terms, ends no login: the code does.
extension OAuth2Authenticator {
  /// Asks for the codes.
  mutating func askForCodes(_ input: Input) throws(GatebookError) -> Step {
    let exchange = OAuth2Exchange(
      try login.url(.deviceAuthorisation), login.application.scopeParameter, proves: false,
      at: input.moment)
    return try ask(exchange, input) { machine, arrival, exchange in
      guard let codes = DeviceAuthorisation(arrival.reply) else {
        throw machine.login.explaining(
          TokenRefusal.error(
            arrival.reply, .client, at: exchange.url, emptyRefusesClient: true,
            setting: "device authorization endpoint"))
      }
      let grant = DeviceGrant(codes, asked: exchange.sent)
      machine.wait(for: grant)
      return .show(codes.code(at: grant.age(at: arrival.input.moment)))
    }
  }

  /// Waits until the code is shown.
  mutating func wait(for grant: DeviceGrant) {
    device = grant
    turn = .pause { try $0.wait(grant.pause, grant, $1) }
  }

  private mutating func wait(
    _ duration: Duration, _ grant: DeviceGrant, _ input: Input
  ) throws(GatebookError) -> Step {
    let rest = grant.rest(at: input.moment)
    guard rest > .zero else { throw grant.over }
    device = grant
    turn = .pause { try $0.poll(grant, $1) }
    return .wait(min(duration, rest))
  }

  private mutating func poll(
    _ grant: DeviceGrant, _ input: Input
  ) throws(GatebookError) -> Step {
    guard grant.rest(at: input.moment) > .zero else { throw grant.over }
    let exchange = OAuth2Exchange(
      try login.url(.token),
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", grant.codes.deviceCode.text),
      ], at: input.moment)
    return try ask(exchange, input) {
      try $0.polled($1, grant, $2)
    } missing: { machine, failure, input in
      var grant = grant
      try grant.take(failure)
      return try machine.wait(grant.pause, grant, input)
    }
  }

  private mutating func polled(
    _ arrival: Arrival, _ grant: DeviceGrant, _ exchange: OAuth2Exchange
  ) throws(GatebookError) -> Step {
    var grant = grant
    if let pause = grant.take(arrival, from: exchange.url) {
      return try wait(pause, grant, arrival.input)
    }
    device = nil
    let granted: OAuth2Granted
    do throws(GatebookError) {
      granted = try take(arrival.reply, for: .device, of: exchange)
    } catch  where grant.isInDoubt && [.challengeTimedOut, .codeRefused].contains(error.code) {
      throw DeviceGrant.lost(error)
    }
    return try self.granted(granted, arrival.input)
  }
}

/// The codes that the person is shown, and what the server answered to questions about them.
struct DeviceGrant: Sendable {
  /// The codes.
  let codes: DeviceAuthorisation
  /// When the codes were asked for: their life counts from here.
  private let asked: Moment
  /// How long it waits between two questions.
  private(set) var pause: Duration
  /// How many answers in a row came from a server in trouble.
  private var failures: Int64 = 0
  /// Whether an answer was lost that may have been the grant.
  private(set) var isInDoubt = false
  /// What kept the server from answering the last question.
  private var trouble: GatebookError?

  init(_ codes: DeviceAuthorisation, asked: Moment) {
    self.codes = codes
    self.asked = asked
    pause = codes.interval
  }

  /// How old the codes are by the clock that says more: one of them may have been set back.
  func age(at moment: Moment) -> Duration {
    max(moment.boot - asked.boot, moment.wall - asked.wall)
  }

  /// How long the codes are still good for.
  func rest(at moment: Moment) -> Duration { codes.lifetime - age(at: moment) }

  /// Takes that no answer came.
  ///
  /// - Throws: The failure, where asking again would not help.
  mutating func take(_ failure: TransportFailure) throws(GatebookError) {
    guard failure.error.code == .networkUnreachable else { throw failure.error }
    pause *= 2
    if failure.delivery == .maybeSent { isInDoubt = true }
    trouble = failure.error
  }

  /// Takes an answer.
  ///
  /// - Returns: How long to wait for the next question; `nil` where the answer ends the questions.
  mutating func take(_ arrival: Arrival, from url: HTTPURL) -> Duration? {
    let (status, reply) = (arrival.status, arrival.reply)
    switch TokenRefusal.code(in: reply) {
    case "authorization_pending":
      answered()
      return pause
    case "slow_down":
      answered()
      // GitHub says how long the interval is now.
      let named = JSONDocument.read(reply.body)?.object?["interval"]
        .flatMap { OAuth2Tokens.seconds($0, rounded: .up) }
      pause = max(pause + .seconds(5), named ?? .zero)
      return pause
    default: break
    }
    // A refusal has granted nothing, whatever of it is lost.
    if case .accepted = status, reply.isCut { isInDoubt = true }
    guard Self.isWithoutWord(status, reply) else { return nil }
    let backOff = BackOff.wait(
      after: failures, random: arrival.input.random.first ?? 0,
      demanded: reply.retryAfter(at: arrival.input.moment.wall))
    failures += 1
    trouble =
      Self.isByAnother(status, reply, at: url)
      ? Self.strange : .answered(reply, at: url, setting: TokenRefusal.tokenEndpoint)
    return max(pause, backOff)
  }

  /// Takes that the server still waits for the person.
  private mutating func answered() {
    failures = 0
    isInDoubt = false
    trouble = nil
  }

  /// Whether an answer has neither tokens nor an error code of the token endpoint.
  ///
  /// A proxy, or the server during a deployment, answers so.
  private static func isWithoutWord(_ status: StatusClass, _ reply: HTTPReply) -> Bool {
    switch status {
    case .unavailable, .redirected, .misplaced: return true
    case .accepted:
      return JSONDocument.read(reply.body)?.object == nil && !TokenRefusal.isFormEncoded(reply)
    case .unauthorised, .forbidden, .refused:
      // A gateway's JSON has a phrase there, such as "Forbidden", and a code is none.
      return !(TokenRefusal.code(in: reply).map(GatebookError.isErrorCode) ?? false)
    }
  }

  /// Whether such an answer comes from a strange network, and not from the server.
  private static func isByAnother(
    _ status: StatusClass, _ reply: HTTPReply, at url: HTTPURL
  ) -> Bool {
    switch status {
    case .accepted: return true
    case .redirected:
      let target = reply.fields.first("Location").flatMap { url.resolve($0) }
      return target.map { $0.origin != url.origin } ?? false
    case .unauthorised, .forbidden, .misplaced, .unavailable, .refused: return false
    }
  }

  /// How it ends when the code's time is over: what nobody asked for last may have been entered.
  var over: GatebookError {
    guard let trouble else { return Self.timedOut }
    guard !isInDoubt else { return Self.lost(trouble) }
    var error = GatebookError.atLogin(
      trouble.code,
      "The code expired, and the server did not say whether it was entered. " + trouble.message,
      remedy: "Log in again when the server answers.", cause: trouble.cause, status: trouble.status,
      serverCode: trouble.serverCode)
    error.fault = trouble.fault
    error.setting = trouble.setting
    error.serversNames = trouble.serversNames
    return error
  }

  static func lost(_ refusal: GatebookError) -> GatebookError {
    .atLogin(
      .outcomeUnknown,
      "An answer of the server was lost, and the device code is no longer valid. The server may have "
        + "granted the login.",
      remedy: "Log in again.", status: refusal.status, serverCode: refusal.serverCode)
  }

  private static let strange = GatebookError(
    .networkUnreachable, "A filter, gateway or network login page answered instead of the server.",
    remedy: "Agree to the network's terms, or use another network.")

  private static let timedOut = GatebookError.atLogin(
    .challengeTimedOut, "The code was not entered in time.", remedy: "Log in again.")
}

extension DeviceGrant: StoredRecord {
  /// The flow that waits for the person.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    asked = Moment(
      wall: try facts.required("asked", kept?.asked.wall),
      boot: try facts.required("askedBootUs", kept?.asked.boot))
    codes = try facts.required("codes", kept?.codes)
    pause = try facts.required("intervalUs", kept?.pause)
  }
}
