internal import Gatebook

extension Call {
  /// Hands this call over to the agent, if one serves its book; otherwise, and whenever the agent
  /// does not answer, the process has to do the work itself.
  ///
  /// - Parameter input: What the program that asks has written.
  /// - Returns: How the process ends, with all of it printed; `nil` where nothing was done.
  /// - Throws: `CancellationError`.
  func byAgent(_ input: [UInt8] = []) throws(CancellationError) -> ExitCode? {
    guard lent == nil, let path = AgentPlace.path(surroundings),
      AgentPlace.isPrivate(path, surroundings),
      var given = AgentCall(self, input: input)
    else { return nil }
    // A lock holds for these calls too.
    given.isOwn = needsOwnProcess
    let answer: AgentAnswer?
    do throws(AgentFailure) {
      answer = AgentAnswer(
        try AgentConnection(to: path).post("/v1/call", given.encoded, AgentPatience()))
    } catch {
      guard error != .cancelled else { throw CancellationError() }
      answer = nil
    }
    guard let answer else { return nil }
    output.bytes(answer.output)
    output.flush()
    output.passOn(messages: answer.errors)
    return answer.exit
  }

  /// Whether the call has an option that means this process.
  private var needsOwnProcess: Bool {
    [
      Answers.standardInputOption, LoginArguments.timeoutOption, GlobalOptions.noProxyOption,
      GlobalOptions.waitOption,
    ].contains(where: arguments.has)
  }

  /// Waits for renewals under way before the process ends, if it does.
  ///
  /// - Returns: Whether there were any; never in the agent, which does not end.
  func settlesRenewals(of book: SessionBook) async -> Bool {
    guard lent == nil, await book.isRenewing else { return false }
    await book.settleRenewals()
    return true
  }
}
