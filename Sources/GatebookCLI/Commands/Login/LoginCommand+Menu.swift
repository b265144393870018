internal import Gatebook
internal import GatebookSystem

extension LoginCommand {
  /// Asks on a terminal which account logs in, or where; elsewhere nothing is asked.
  @MainActor static func menu(_ call: Call) async throws -> ExitCode {
    guard Terminal.isThere, !call.arguments.has(Answers.standardInputOption) else {
      throw incomplete
    }
    let accounts = try accounts(call)
    if !accounts.isEmpty { call.output.instruction("Log in again:") }
    for (number, context) in accounts.enumerated() {
      let line = "\(AccountRendering.person(context)), \(context.stateText)"
      call.output.instruction("  \(number + 1)  \(Printable.text(line))")
    }
    call.output.instruction(
      accounts.isEmpty
        ? "There is no account yet. Type the address of a server, such as id.example."
        : "For another server, type its address, such as id.example.")
    let answer = try call.answers.text(accounts.isEmpty ? "Address" : "Number or address")
    if let number = Int(answer), accounts.indices.contains(number - 1) {
      var arguments = call.arguments
      arguments.replace(
        GlobalOptions.accountOption, by: [accounts[number - 1].account.description])
      return try await again(try call.with(arguments))
    }
    if methods.contains(answer) {
      throw UsageError(
        "The method `\(answer)` takes options.", remedy: "See `gatebook help login \(answer)`.")
    }
    let address = answer.contains("://") ? answer : "https://\(answer)"
    return try await logIn(at: address, call)
  }

  /// The accounts that can be logged in again, those that need it first.
  @MainActor private static func accounts(_ call: Call) throws -> [SessionContext] {
    let reader: BookReader
    do {
      reader = try call.reader()
    } catch let error as GatebookError where error.code == .storageNone {
      return []
    }
    let known = try reader.accounts(at: call.now).filter { $0.state != .ended(.erased) }
    return known.filter { !$0.state.isUsable } + known.filter { $0.state.isUsable }
  }
}
