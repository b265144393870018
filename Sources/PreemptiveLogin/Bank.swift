internal import Gatebook
internal import SampleStage

/// The app: a login form, and behind it a balance.
///
/// Calls run beside the screen. What comes of one, and every challenge, is a turn that brings the
/// next screen.
@MainActor final class Bank {
  private enum Turn: Sendable {
    case challenged
    case loggedIn
    case told(String)
    case loggedOut(CheckLogout)
    case failed(GatebookError)
  }

  private let stage: SampleStage
  private let form: LoginForm
  private let turns: AsyncStream<Turn>
  private let take: AsyncStream<Turn>.Continuation
  private var manager: AuthorizationManager

  init(_ stage: SampleStage) async throws(GatebookError) {
    let (turns, take) = AsyncStream<Turn>.makeStream()
    self.stage = stage
    self.turns = turns
    self.take = take
    form = LoginForm { take.yield(.challenged) }
    manager = try await stage.book.authorizationManager(for: stage.app)
    await manager.register(form, for: LoginForm.check)
  }

  /// Opens the bank; returns when the person leaves.
  func open() async throws(GatebookError) {
    var goesOn = await press()
    var iterator = turns.makeAsyncIterator()
    while goesOn, let turn = await iterator.next() {
      switch turn {
      case .challenged: goesOn = await press()
      case .loggedIn:
        Terminal.say("Hello, \(form.displayName ?? "stranger").")
        goesOn = choose()
      case .told(let text):
        Terminal.say(text)
        goesOn = choose()
      case .loggedOut(let outcome):
        Terminal.say(outcome == .done ? "Logged out." : "Logged out here, not at the server.")
        try await welcomeSomebodyElse()
        goesOn = await press()
      case .failed(let error) where error.code == .challengeCancelled: goesOn = false
      case .failed(let error):
        // The form has said already why the check refuses.
        if error.code != .challengeBlocked { Terminal.say(error) }
        goesOn = form.displayName == nil ? await press() : choose()
      }
    }
  }

  /// The form's button: answers an open challenge, or else logs in before the server asks.
  private func press() async -> Bool {
    guard let answer = form.fillIn() else {
      // Every challenge ends in an answer or a cancel; a call that waits for it then fails.
      return await manager.cancel(LoginForm.check)
    }
    let manager = manager
    if await manager.isChallenged(LoginForm.check) {
      do throws(GatebookError) {
        try await manager.submitChallengeAnswer(answer, to: LoginForm.check)
      } catch {
        take.yield(.failed(error))
      }
    } else {
      call { () throws(GatebookError) in
        try await manager.login(LoginForm.check, credentials: answer)
        return .loggedIn
      }
    }
    return true
  }

  /// The buttons of somebody who has logged in.
  private func choose() -> Bool {
    let manager = manager
    let balance = stage.balance
    while let choice = Terminal.ask("balance, logout or quit") {
      switch choice {
      case "balance":
        // The session may have run out: then the form comes back before the balance does.
        call { () throws(GatebookError) in
          let reply = try await manager.send(.get(balance))
          let text = String(decoding: reply.body, as: UTF8.self)
          return .told(
            reply.status == 200 ? "Balance: \(text)" : "The server said \(reply.status).")
        }
        return true
      case "logout":
        call { () throws(GatebookError) in .loggedOut(try await manager.logout(LoginForm.check)) }
        return true
      case "quit": return false
      default: Terminal.say("There is no such button.")
      }
    }
    return false
  }

  /// A manager belongs to one account from its login on: the next person gets another one.
  private func welcomeSomebodyElse() async throws(GatebookError) {
    form.clear()
    manager = try await stage.book.authorizationManager(for: stage.app)
    await manager.register(form, for: LoginForm.check)
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
