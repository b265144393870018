internal import GatebookEvents

/// A machine that asks a server of OAuth 2 in the name of a login or its session.
protocol OAuth2Machine: ReplyAuthenticator {
  /// What is known of the server and the application.
  var login: OAuth2Login { get set }
}

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
  mutating func ask(
    _ question: OAuth2Exchange, _ input: Input,
    then take: @escaping @Sendable (inout Self, Arrival, OAuth2Exchange) throws -> Step,
    missing: @escaping Turn<Self>.TakeFailure = { _, failure, _ in throw failure.error }
  ) throws(GatebookError) -> Step {
    var question = question
    let step = try question.send(login, input)
    return expect(step, of: question, take, missing)
  }

  private mutating func expect(
    _ step: Step, of question: OAuth2Exchange,
    _ take: @escaping @Sendable (inout Self, Arrival, OAuth2Exchange) throws -> Step,
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
