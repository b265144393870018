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
struct DeviceGrant: OAuth2Granting {
  private enum State {
    case ready
    case asking(OAuth2Exchange)
    case showing(DeviceAuthorisation)
    case waiting(DeviceAuthorisation)
    case polling(DeviceAuthorisation, OAuth2Exchange)
    case ended
  }

  private var state = State.ready
  /// When the codes were asked for: their life counts from here.
  private var asked = Moment(wall: Timestamp(rawValue: 0), boot: .zero)
  /// How long it waits between two questions.
  private var pause = Duration.zero
  /// How many answers in a row came from a server in trouble.
  private var failures: Int64 = 0
  /// Whether an answer was lost that may have been the grant.
  private var isInDoubt = false
  /// What kept the server from answering the last question.
  private var trouble: GatebookError?

  init() {}

  /// The codes, as long as it waits for the person.
  private var codes: DeviceAuthorisation? {
    switch state {
    case .showing(let codes), .waiting(let codes), .polling(let codes, _): codes
    case .ready, .asking, .ended: nil
    }
  }

  var waiting: Facts? { codes == nil ? nil : record }

  var interval: Duration? { codes == nil ? nil : pause }

  mutating func begin(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    let scope = login.application.scope.map { [(name: "scope", value: $0)] } ?? []
    var exchange = OAuth2Exchange(
      try login.url(.deviceAuthorisation), scope, proves: false, at: input.moment)
    let step = try exchange.send(login, input)
    asked = input.moment
    state = .asking(exchange)
    return step
  }

  mutating func next(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Granted> {
    switch (state, Answer(input)) {
    case (.asking(let exchange), .reply(_, let reply)):
      _ = login.learn(from: reply, of: exchange.url, at: input.moment)
      return .step(try show(reply, exchange, login, input))
    case (.showing(let codes), .begun):
      return .step(try wait(pause, codes, input))
    case (.waiting(let codes), .begun):
      return .step(try poll(codes, login, input))
    case (.polling(let codes, var exchange), .reply(let status, let reply)):
      if let again = try exchange.again(after: reply, &login, input) {
        state = .polling(codes, exchange)
        return .step(again)
      }
      return try polled(status, reply, codes, exchange, login, input)
    case (.polling(let codes, _), .missing(let failure)):
      guard failure.error.code == .networkUnreachable else { throw failure.error }
      pause *= 2
      if failure.delivery == .maybeSent { isInDoubt = true }
      trouble = failure.error
      return .step(try wait(pause, codes, input))
    case (.asking, .missing(let failure)): throw failure.error
    case (.ready, _), (.asking, .begun), (.showing, .reply), (.showing, .missing),
      (.waiting, .reply), (.waiting, .missing), (.polling, .begun), (_, .redirected), (.ended, _):
      throw .loginOutOfOrder
    }
  }

  private mutating func show(
    _ reply: HTTPReply, _ exchange: OAuth2Exchange, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    guard let codes = DeviceAuthorisation(reply) else {
      throw login.explaining(
        TokenRefusal.error(
          reply, .client, at: exchange.url, emptyRefusesClient: true,
          setting: "device authorization endpoint"))
    }
    pause = codes.interval
    state = .showing(codes)
    return .show(codes.code(at: age(input)))
  }

  private mutating func polled(
    _ status: StatusClass, _ reply: HTTPReply, _ codes: DeviceAuthorisation,
    _ exchange: OAuth2Exchange, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Granted> {
    switch TokenRefusal.code(in: reply) {
    case "authorization_pending":
      answered()
      return .step(try wait(pause, codes, input))
    case "slow_down":
      answered()
      // GitHub says how long the interval is now.
      let named = JSONDocument.read(reply.body)?.object?["interval"]
        .flatMap { OAuth2Tokens.seconds($0, rounded: .up) }
      pause = max(pause + .seconds(5), named ?? .zero)
      return .step(try wait(pause, codes, input))
    default: break
    }
    // A refusal has granted nothing, whatever of it is lost.
    if case .accepted = status, reply.isCut { isInDoubt = true }
    if Self.isWithoutWord(status, reply) {
      let backOff = BackOff.wait(
        after: failures, random: input.random.first ?? 0,
        demanded: reply.retryAfter(at: input.moment.wall))
      failures += 1
      trouble =
        Self.isByAnother(status, reply, at: exchange.url)
        ? Self.strange : .answered(reply, at: exchange.url, setting: TokenRefusal.tokenEndpoint)
      return .step(try wait(max(pause, backOff), codes, input))
    }
    state = .ended
    do throws(GatebookError) {
      return .done(try OAuth2Granted(reply, for: .device, of: exchange, login))
    } catch  where isInDoubt && (error.code == .challengeTimedOut || error.code == .codeRefused) {
      throw Self.lost(error)
    }
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

  private mutating func wait(
    _ duration: Duration, _ codes: DeviceAuthorisation, _ input: Input
  ) throws(GatebookError) -> Step {
    let rest = codes.lifetime - age(input)
    guard rest > .zero else { throw over }
    state = .waiting(codes)
    return .wait(min(duration, rest))
  }

  private mutating func poll(
    _ codes: DeviceAuthorisation, _ login: OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step {
    guard age(input) < codes.lifetime else { throw over }
    var exchange = OAuth2Exchange(
      try login.url(.token),
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", codes.deviceCode.text),
      ], at: input.moment)
    let step = try exchange.send(login, input)
    state = .polling(codes, exchange)
    return step
  }

  /// How old the codes are by the clock that says more: one of them may have been set back.
  private func age(_ input: Input) -> Duration {
    max(input.moment.boot - asked.boot, input.moment.wall - asked.wall)
  }

  /// How it ends when the code's time is over: what nobody asked for last may have been entered.
  private var over: GatebookError {
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

  private static func lost(_ refusal: GatebookError) -> GatebookError {
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
  ///
  /// It continues with the next `.start` or `.proceed`.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    asked = Moment(
      wall: try facts.required("asked", kept?.asked.wall),
      boot: try facts.required("askedBootUs", kept?.asked.boot))
    state = .showing(try facts.required("codes", kept?.codes))
    pause = try facts.required("intervalUs", kept?.pause)
  }
}
