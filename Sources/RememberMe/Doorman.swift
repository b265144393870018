internal import Gatebook
internal import SampleStage

/// The app: greets whom the server remembers, and shows everybody else the form.
///
/// Calls run beside the screen. What comes of one, and every challenge, is a turn that brings the
/// next screen.
@MainActor final class Doorman {
  private enum Turn: Sendable {
    case challenged
    case known
    case loggedOut(CheckLogout)
    case failed(GatebookError)
  }

  private let stage: SampleStage
  private let form: RememberForm
  private let turns: AsyncStream<Turn>
  private let take: AsyncStream<Turn>.Continuation
  private var manager: AuthorizationManager

  init(_ stage: SampleStage) async throws(GatebookError) {
    let (turns, take) = AsyncStream<Turn>.makeStream()
    self.stage = stage
    self.turns = turns
    self.take = take
    form = RememberForm { take.yield(.challenged) }
    manager = try await stage.book.authorizationManager(
      for: stage.app, account: try await Self.lastAccount(stage))
    await manager.register(form, for: RememberForm.check)
  }

  /// The account of the last run, resumed without the network; `nil` when nobody is logged in.
  private static func lastAccount(
    _ stage: SampleStage
  ) async throws(GatebookError) -> AccountID? {
    guard let last = try await stage.book.currentContext(), last.state.isUsable,
      last.server == stage.app.server.origin.description
    else { return nil }
    return try await stage.book.restore(last.account).account
  }

  /// Opens the door; returns when the person leaves.
  func open() async throws(GatebookError) {
    enter()
    var goesOn = true
    var iterator = turns.makeAsyncIterator()
    while goesOn, let turn = await iterator.next() {
      switch turn {
      case .challenged: goesOn = await press()
      case .known:
        Terminal.say("Hello, \(try await displayName()).")
        goesOn = choose()
      case .loggedOut(let outcome):
        Terminal.say(outcome == .done ? "Logged out." : "Logged out here, not at the server.")
        try await welcomeSomebodyElse()
        goesOn = await press()
      case .failed(let error) where error.code == .challengeCancelled: goesOn = false
      case .failed(let error):
        // The form has said already why the check refuses.
        if error.code != .challengeBlocked { Terminal.say(error) }
        if error.code == .identityMismatch { try await welcomeSomebodyElse() }
        goesOn = await press()
      }
    }
  }

  /// Tries to come in without a form: with a token that still lives, or by the server's memory.
  private func enter() {
    let manager = manager
    call { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: RememberForm.check)
      return .known
    }
  }

  /// The form's button: answers an open challenge, or else logs in before the server asks.
  private func press() async -> Bool {
    guard let answer = form.fillIn() else {
      // Every challenge ends in an answer or a cancel; a call that waits for it then fails.
      return await manager.cancel(RememberForm.check)
    }
    let manager = manager
    if await manager.isChallenged(RememberForm.check) {
      do throws(GatebookError) {
        try await manager.submitChallengeAnswer(answer, to: RememberForm.check)
      } catch {
        take.yield(.failed(error))
      }
    } else {
      call { () throws(GatebookError) in
        try await manager.login(RememberForm.check, credentials: answer)
        return .known
      }
    }
    return true
  }

  /// The buttons of somebody who is known.
  private func choose() -> Bool {
    let manager = manager
    while let choice = Terminal.ask("logout or quit") {
      switch choice {
      case "logout":
        call { () throws(GatebookError) in
          .loggedOut(try await manager.logout(RememberForm.check))
        }
        return true
      case "quit": return false
      default: Terminal.say("There is no such button.")
      }
    }
    return false
  }

  /// The name stands in the book, so it is there without the network; a logout forgets it.
  private func displayName() async throws(GatebookError) -> String {
    guard let account = await manager.account else { return "stranger" }
    return try await stage.book.context(of: account).user["displayName"] ?? "stranger"
  }

  /// A manager belongs to one account from its login on: the next person gets another one.
  private func welcomeSomebodyElse() async throws(GatebookError) {
    manager = try await stage.book.authorizationManager(for: stage.app)
    await manager.register(form, for: RememberForm.check)
  }

  private func call(_ body: @escaping @Sendable () async throws(GatebookError) -> Turn) {
    let take = take
    Task {
      do throws(GatebookError) {
        take.yield(try await body())
      } catch {
        take.yield(.failed(error))
      }
    }
  }
}
