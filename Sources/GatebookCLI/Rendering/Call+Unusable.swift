internal import Gatebook
internal import GatebookSystem

extension Call {
  /// Completes a failure after which an account needs a login by the command that makes it.
  func advised<Value>(
    _ account: AccountID, in book: SessionBook, _ body: @MainActor () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch var error as GatebookError {
      guard let context = try? await book.context(of: account) else { throw error }
      let hasCommand = error.remedy.contains("`gatebook ")
      error.remedy = PrintedCommand.completed(
        CommandNames.replacingAPI(in: error.remedy),
        by: " \(AccountRendering.option(context))\(givenPlace)")
      guard !context.state.isUsable, context.state != .ended(.erased), !error.code.isOfStorage,
        !error.code.rawValue.hasPrefix("key."), error.code != .cancelled,
        !hasCommand
      else { throw error }
      let login = await NextLogin(context, in: book, options: givenPlace)
      error.remedy = [error.remedy == "Log in." ? "" : error.remedy, login.sentence(.logInAgain)]
        .filter { !$0.isEmpty }.joined(separator: " ")
      throw error
    }
  }

  /// Words a failure by the account's state in the book: an unusable account is described as by
  /// `whoami`, with its remedy.
  func worded<Value>(
    _ account: AccountID, in book: SessionBook, _ body: @MainActor () async throws -> Value
  ) async throws -> Value {
    do {
      return try await advised(account, in: book, body)
    } catch let error as GatebookError where error.code == .sessionRefused {
      let context = try await book.context(of: account)
      guard !context.state.isUsable else { throw error }
      throw try await unusable(context, in: book, status: error.status)
    }
  }

  /// What is said of an account that cannot be used: what `why` answers, and what helps.
  func unusable(
    _ context: SessionContext, in book: SessionBook, status: Int? = nil
  ) async throws(GatebookError) -> GatebookError {
    let why: Explanation? = try? await book.why(context.account)
    let answer = why.map { explanation in
      output.isJSON
        ? explanation.answer.text(TimeText.machine)
        : explanation.answer.text { output.times.text($0) }
    }
    guard context.state != .ended(.erased) else {
      return .accountErased(
        remedy: "A login of the same user creates a new account.", status: status)
    }
    let login = await NextLogin(context, in: book, options: givenPlace)
    return GatebookError(
      .sessionRefused,
      "The account cannot be used: \(context.state.text).\(answer.map { " \($0)" } ?? "")",
      kept: "The account, its attributes and its history are kept.",
      remedy: login.sentence(hasSavedLogin: try await book.hasSavedLogin(context.account)),
      status: status)
  }
}
