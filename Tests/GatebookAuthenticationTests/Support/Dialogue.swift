internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// One machine, driven answer by answer.
struct Dialogue {
  /// 2023-11-14T22:13:20Z, some time after the machine was started.
  static let moment = Moment(
    wall: Timestamp(rawValue: 1_700_000_000_000_000), boot: .seconds(5000))

  /// Passwords, names, tokens and cookies of the tests: no error may tell one of them.
  private static let secrets = ["rabbit", "ada", "tok12345", "guest123", "cipher", "gb_session"]

  private var machine: any Authenticator
  /// All requests so far.
  private(set) var requests: [HTTPRequest] = []
  /// The page that the person is shown, and the redirect that ends the visit.
  private(set) var opened: (page: HTTPURL, redirect: AwaitedRedirect)?
  /// The code that the person enters on another device.
  private(set) var shown: DeviceCode?
  /// How long the machine wanted to wait, each time.
  private(set) var waits: [Duration] = []
  /// The time; the waits do not make it pass.
  var moment = Dialogue.moment
  /// What the book has of what the server publishes; `nil` for nothing.
  var kept: HTTPReply?
  /// What the login proposes; `nil` before its end.
  private(set) var outcome: Outcome?

  /// Takes a method's machine.
  init(_ method: LoginMethod) {
    machine = method.authenticator()
  }

  /// Takes a machine.
  init(_ machine: any Authenticator) {
    self.machine = machine
  }

  /// Starts the machine and hands in the answers, in their order.
  mutating func play(_ replies: [HTTPReply]) throws(GatebookError) {
    try hand(in: .start)
    for reply in replies { try hand(in: .reply(reply)) }
  }

  private var recalled: Input.Happening {
    guard var kept else {
      return .failure(TransportFailure(.askedAMomentAgo, delivery: .notSent))
    }
    kept.recalled = kept.recalled ?? moment.wall
    return .reply(kept)
  }

  private static let forgetful = GatebookError(
    .preconditionFailed, "The machine cannot be made from its record.", remedy: "Mend it.")

  /// Hands in the redirect that ends the person's visit.
  mutating func redirect(_ parameters: (String, String)...) throws(GatebookError) {
    try hand(in: .redirect(FormFields(parameters.map { FormFields.Field($0.0, $0.1) })))
  }

  /// Hands in one happening.
  mutating func hand(in happening: Input.Happening) throws(GatebookError) {
    let input = Input(happening, at: moment, random: [UInt8](repeating: 7, count: 64))
    switch try machine.next(input) {
    case .send(let request) where request.recall == .always: try hand(in: recalled)
    case .send(let request): requests.append(request)
    case .open(let page, let redirect):
      opened = (page, redirect)
      // As the book does: what waits is made again from its record.
      guard let waiting = machine as? any RedirectAuthenticator,
        let again = type(of: waiting).init(record: waiting.record)
      else { throw Self.forgetful }
      machine = again
    case .show(let code): shown = code
    case .wait(let duration): waits.append(duration)
    case .finish(let outcome): self.outcome = outcome
    }
  }

  /// Where the answers lead: `finish`, the code of the failure, or the request that is sent next.
  mutating func ending(_ replies: [HTTPReply]) -> String {
    do {
      try play(replies)
    } catch {
      // The word has a user's name in it.
      let told = error.description.replacing("metadata", with: "")
      for secret in Self.secrets where told.contains(secret) {
        Issue.record("\(error) tells \(secret)")
      }
      return error.code.rawValue
    }
    if outcome != nil { return "finish" }
    return requests.last.map { "\($0.method) \($0.url)" } ?? "nothing"
  }

  /// Plays a login that must succeed.
  static func outcome(of method: LoginMethod, _ replies: HTTPReply...) throws -> Outcome {
    var dialogue = Dialogue(method)
    try dialogue.play(replies)
    return try #require(dialogue.outcome)
  }

  /// The failure that the answers lead to.
  static func failure(of method: LoginMethod, _ replies: HTTPReply...) throws -> GatebookError {
    var dialogue = Dialogue(method)
    do {
      try dialogue.play(replies)
    } catch {
      return error
    }
    Issue.record("no failure")
    throw GatebookError(.preconditionFailed, "No failure.", remedy: "Look at the answers.")
  }
}
