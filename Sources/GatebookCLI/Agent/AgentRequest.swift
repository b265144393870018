internal import Gatebook

/// A request to the agent about the agent itself.
@MainActor struct AgentRequest {
  private let call: Call
  private let path: String

  init(_ call: Call, _ path: String) {
    self.call = call
    self.path = path
  }

  /// Asks.
  ///
  /// - Parameters:
  ///   - method: Such as GET.
  ///   - target: Such as `/v1/status`.
  ///   - body: What is said.
  /// - Returns: The result.
  /// - Throws: `configuration.invalid` where no agent answers, `CancellationError`.
  func send(_ method: String, _ target: String, _ body: JSON = [:]) throws -> Facts {
    do throws(AgentFailure) {
      guard AgentPlace.isPrivate(path, call.surroundings) else { throw AgentFailure.none }
      let connection = try AgentConnection(to: path)
      // A passphrase takes its time, and so does a lock that waits for calls under way.
      let patience = AgentPatience(confirmation: .seconds(5), silence: .seconds(10))
      return method == "GET"
        ? try connection.get(target, patience) : try connection.post(target, body.encoded, patience)
    } catch {
      switch error {
      case .cancelled: throw CancellationError()
      case .refused:
        throw GatebookError(
          .configurationInvalid, "The agent at \(path) is of another version.",
          kept: "Nothing was changed.", remedy: "End that agent, and start `gatebook agent` again.")
      case .none:
        throw GatebookError(
          .configurationInvalid, "No agent answers at \(path).", kept: "Nothing was changed.",
          remedy: "Start one with `gatebook agent\(call.givenPlace)`.")
      }
    }
  }

  /// Throws the error that the agent has told.
  func check(_ facts: Facts) throws(GatebookError) {
    guard let error = facts["error"]?.object else { return }
    let text = { (name: String) in error[name]?.text ?? "" }
    throw GatebookError(
      FailureCode(rawValue: text("code")), text("message"), kept: text("kept"),
      remedy: text("remedy"))
  }
}
