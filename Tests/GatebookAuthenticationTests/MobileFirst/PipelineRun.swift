internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// One flow, driven input by input.
struct PipelineRun {
  static let flow = FlowID(high: 1, low: 2)
  static let key = RSAKey.generate()
  static let home = "https://mfp.example.test/mfp"

  static func app() throws -> MobileFirstApp {
    MobileFirstApp(
      server: try .at(home), applicationID: "com.example.app", version: "1.0", platform: "ios")
  }

  static func registration(_ id: String = "client-1") throws -> ClientRegistration {
    ClientRegistration(clientID: id, key: key, deviceID: "device", app: try app(), offset: 0)
  }

  var machine: AuthorizationPipeline
  var now = Dialogue.moment
  private(set) var requests: [HTTPRequest] = []
  private(set) var rounds: [CheckRound] = []
  private(set) var told: [String] = []
  private(set) var token: AccessToken?
  private(set) var isFinished = false

  init(
    _ goal: AuthorizationPipeline.Goal = .token(AuthorizationScope("UserLogin")),
    registered: Bool = true, app: MobileFirstApp? = nil
  ) throws {
    machine = AuthorizationPipeline(
      goal, flow: Self.flow, app: try app ?? Self.app(),
      registration: registered ? try Self.registration() : nil, jar: CookieJar(), suffixes: nil)
  }

  /// Hands in one input, and all that follows from it without the server or a person.
  mutating func hand(_ input: AuthorizationPipeline.Input) throws(GatebookError) {
    switch try machine.next(input, at: now) {
    case .makeKey: try hand(.key(Self.key, deviceID: "device"))
    case .send(let request): requests.append(request)
    case .registered(let registration):
      told.append("registered \(registration.clientID)")
      try hand(.proceed)
    case .rejected(let client):
      told.append("rejected \(client)")
      try hand(.proceed)
    case .round(let round):
      rounds.append(round)
      if round.challenges.isEmpty { try hand(.proceed) }
    case .finish(let token):
      isFinished = true
      self.token = token
    }
  }

  /// Begins and hands in answers of the server.
  mutating func play(_ replies: [HTTPReply]) throws(GatebookError) {
    try hand(.proceed)
    for reply in replies { try hand(.reply(reply)) }
  }

  /// Where the answers lead: `finish`, `challenged`, a failure's code, or the last request.
  mutating func ending(_ replies: [HTTPReply]) -> String {
    do {
      try play(replies)
    } catch {
      return error.code.rawValue
    }
    if isFinished { return "finish" }
    if rounds.last?.challenges.isEmpty == false { return "challenged" }
    return requests.last.map { "\($0.method) \($0.url.path)" } ?? "nothing"
  }
}

extension HTTPReply {
  /// The answers of the protocol's transcript.
  static let registered = HTTPReply.answer(
    201, ["Location": "/mfp/api/registration/clients/client-1"])
  static let challenged = HTTPReply.answer(
    401, ["WWW-Authenticate": "MFP-Challenge"],
    body: #"{"challenges":{"UserLogin":{"errorMsg":null,"remainingAttempts":3}},"successes":{}}"#)
  static let passed = HTTPReply.json(
    200,
    #"""
    {"successes":{"clockSynchronization":{"serverTimeStamp":1700000000500},"UserLogin":{"user":{
    "id":"john","displayName":"john","authenticatedAt":1455803338008,"authenticatedBy":"UserLogin",
    "attributes":{}}}}}
    """#)
  static let coded = HTTPReply.redirect(to: "https://mfpredirecturi?code=code-1")
  static let granted = HTTPReply.json(
    200,
    #"{"access_token":"tok12345","token_type":"Bearer","expires_in":60,"scope":"UserLogin"}"#)
  static let unknownClient = HTTPReply.json(400, #"{"errorCode":"INVALID_CLIENT_ID"}"#)
  static let conflict = HTTPReply.answer(409, ["MFP-Conflict": "Concurrency failure"])
}
