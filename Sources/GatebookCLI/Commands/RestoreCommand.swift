internal import Gatebook

/// `gatebook restore`.
struct RestoreCommand: Command {
  private static let all = CommandOption.flag("--all", "resume every account that can be used")

  static let help = Help(
    "restore", "Resume a session from the log, without the network.", in: .login,
    details: [
      "What the book knows is shown, with the time at which the server last confirmed it. The next "
        + "request asks the server again."
    ],
    options: [all, Answers.standardInputOption],
    exits: [.done, .usage, .loginNeeded, .damaged, .cannotOpen],
    example: "gatebook restore --all --json")

  func run(_ call: Call) async throws -> ExitCode {
    guard call.globals.account == nil || !call.arguments.has(Self.all) else {
      throw UsageError(
        "`--all` and `--account` contradict each other.", remedy: "Give one of them.")
    }
    let contexts = try await call.withBook { book in
      guard call.arguments.has(Self.all) else {
        return [try await book.restore(try await call.account(book).account)]
      }
      return try await restoreAll(book, call)
    }
    call.output.accounts(contexts)
    if contexts.contains(where: { !$0.isRecorded }) {
      call.output.message("The book could not be written: the log does not know of this restore.")
    }
    return contexts.allSatisfy(\.state.isUsable) ? .done : .loginNeeded
  }

  /// An account that needs a login does not keep the others from being resumed.
  @MainActor private func restoreAll(
    _ book: SessionBook, _ call: Call
  ) async throws -> [SessionContext] {
    var contexts: [SessionContext] = []
    for context in try await book.accounts() {
      if case .ended = context.state { continue }
      do throws(GatebookError) {
        contexts.append(try await book.restore(context.account))
      } catch {
        guard error.code == .sessionRefused else { throw error }
        contexts.append(try await book.context(of: context.account))
      }
    }
    guard !contexts.isEmpty else {
      throw GatebookError(
        .sessionRefused, "There is no session to resume.",
        remedy: "Log in: see `gatebook help login`.")
    }
    return contexts
  }
}
