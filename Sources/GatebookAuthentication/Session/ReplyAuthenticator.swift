internal import GatebookEvents

/// A login method that asks one question after the other: what sends a request says what takes the
/// reply.
///
/// ```swift
/// mutating func begin(_ input: Input) throws(GatebookError) -> Step {
///   send(.get(page)) { try $0.visited($1) }
/// }
/// ```
protocol ReplyAuthenticator: Authenticator {
  /// Who acts next; begins with `ready`.
  var turn: Turn<Self> { get set }

  /// Makes the first step.
  ///
  /// - Throws: The login failed before anything was sent.
  mutating func begin(_ input: Input) throws(GatebookError) -> Step
}

/// Who acts next in a conversation with a server.
enum Turn<Machine: Sendable>: Sendable {
  /// Makes the next step of a reply; all that it throws is a `GatebookError`, which short closures
  /// cannot say.
  typealias Take = @Sendable (inout Machine, Arrival) throws -> Step
  /// Makes the next step where no reply came.
  typealias TakeFailure = @Sendable (inout Machine, TransportFailure, Input) throws -> Step
  /// Makes the next step of the redirect that ended the person's visit.
  typealias TakeRedirect = @Sendable (inout Machine, FormFields, Input) throws -> Step
  /// Makes the next step after a pause.
  typealias TakePause = @Sendable (inout Machine, Input) throws -> Step

  /// The machine: nothing was sent.
  case ready
  /// The server, which was sent a request.
  case server(Take, missing: TakeFailure)
  /// The person, at a page of the server.
  case person(TakeRedirect)
  /// Nobody, until a time has passed, or until a code is shown.
  case pause(TakePause)
  /// Another machine, which ends the login.
  case machine(any Authenticator)
  /// Nobody: the login has succeeded or failed.
  case ended
}

/// A reply as it reaches a machine.
struct Arrival: Sendable {
  /// The reply.
  let reply: HTTPReply
  /// What came with it.
  let input: Input

  /// What its status says.
  var status: StatusClass { StatusClass(reply.status) }
}

extension ReplyAuthenticator {
  /// Takes one input and says what to do next.
  package mutating func next(_ input: Input) throws(GatebookError) -> Step {
    let turn = turn
    self.turn = .ended
    do {
      switch (turn, input.happening) {
      case (.ready, .start): return try begin(input)
      case (.server(let take, _), .reply(let reply)):
        return try take(&self, Arrival(reply: reply, input: input))
      case (.person(let take), .redirect(let fields)): return try take(&self, fields, input)
      case (.server(_, let missing), .failure(let failure)):
        return try missing(&self, failure, input)
      case (.pause(let take), .proceed): return try take(&self, input)
      case (.machine(let machine), _): return try follow(machine, input)
      case (.ready, _), (.server, _), (.person, _), (.pause, _), (.ended, _):
        throw GatebookError.loginOutOfOrder
      }
    } catch {
      throw error as? GatebookError ?? .loginOutOfOrder
    }
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: What is sent.
  ///   - take: What takes the reply.
  ///   - missing: What continues without one; the machine fails unless said.
  /// - Returns: The step.
  mutating func send(
    _ request: HTTPRequest, then take: @escaping Turn<Self>.Take,
    missing: @escaping Turn<Self>.TakeFailure = { _, failure, _ in throw failure.error }
  ) -> Step {
    turn = .server(take, missing: missing)
    return .send(request)
  }

  /// Leaves the rest of the login to another machine.
  ///
  /// - Parameters:
  ///   - machine: The machine.
  ///   - input: What it takes next.
  /// - Returns: Its step.
  /// - Throws: What it throws.
  mutating func follow(
    _ machine: any Authenticator, _ input: Input
  ) throws(GatebookError) -> Step {
    var machine = machine
    // After a failure, too, it knows what nobody claims.
    defer { turn = .machine(machine) }
    return try machine.next(input)
  }
}

extension CookieJar {
  /// Takes the cookies of a reply.
  ///
  /// - Parameters:
  ///   - arrival: The reply.
  ///   - url: What was asked.
  mutating func take(_ arrival: Arrival, from url: HTTPURL) {
    let input = arrival.input
    _ = receive(arrival.reply, from: url, at: input.moment.wall, suffixes: input.suffixes)
  }
}
