internal import GatebookEvents

/// A machine that asks a server of OAuth 2 in the name of a login or its session.
protocol OAuth2Machine: ReplyAuthenticator {
  /// What is known of the server and the application.
  var login: OAuth2Login { get set }
}

/// A request that is sent once more if the server took nothing but wants its nonce in the key's
/// proof (RFC 9449 sections 8 and 9).
protocol OAuth2Question: Sendable {
  /// Sends it.
  ///
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  mutating func send(_ login: OAuth2Login, _ input: Input) throws(GatebookError) -> Step

  /// The repetition that an answer asks for; `nil` if the answer is final.
  mutating func again(
    after reply: HTTPReply, _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step?
}

extension OAuth2Exchange: OAuth2Question {}
extension BoundRequest: OAuth2Question {}

extension OAuth2Machine {
  /// Asks a question.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - input: What happened before.
  ///   - take: What takes the final answer, and the question as it was sent last.
  ///   - missing: What continues without an answer; the machine fails unless said.
  /// - Returns: The step.
  /// - Throws: `configuration.invalid` where this machine does not sign with the key.
  mutating func ask<Question: OAuth2Question>(
    _ question: Question, _ input: Input,
    then take: @escaping @Sendable (inout Self, Arrival, Question) throws -> Step,
    missing: @escaping Turn<Self>.TakeFailure = { _, failure, _ in throw failure.error }
  ) throws(GatebookError) -> Step {
    var question = question
    let step = try question.send(login, input)
    return expect(step, of: question, take, missing)
  }

  private mutating func expect<Question: OAuth2Question>(
    _ step: Step, of question: Question,
    _ take: @escaping @Sendable (inout Self, Arrival, Question) throws -> Step,
    _ missing: @escaping Turn<Self>.TakeFailure
  ) -> Step {
    turn = .server(
      { machine, arrival in
        var question = question
        guard
          let again = try question.again(after: arrival.reply, &machine.login, arrival.input)
        else { return try take(&machine, arrival, question) }
        return machine.expect(again, of: question, take, missing)
      }, missing: missing)
    return step
  }
}
