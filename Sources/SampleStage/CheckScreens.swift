package import Gatebook

/// The screens of an app with one security check: its form, and the protected screen.
///
/// Calls run beside the screen. What comes of one, and every challenge, is a turn that brings the
/// next screen.
@MainActor package final class CheckScreens<Form: CheckForm> {
  /// What brings the next screen.
  package enum Turn: Sendable {
    /// The server asks: the form is to be filled in.
    case challenged
    /// The check knows the person.
    case entered
    /// A call brought a text.
    case told(String)
    /// The check was ended.
    case loggedOut(CheckLogout)
    /// A call failed.
    case failed(GatebookError)
  }

  /// The form of the check.
  package let form: Form
  /// Answers for the account, or for a new login.
  package private(set) var manager: AuthorizationManager
  private let stage: SampleStage
  private let turns: AsyncStream<Turn>
  private let take: AsyncStream<Turn>.Continuation

  /// Makes the screens.
  ///
  /// - Parameters:
  ///   - stage: Where they play.
  ///   - account: Whose they are; `nil` for a new login.
  ///   - form: Makes the form; gets what brings the person to it.
  /// - Throws: `configuration.invalid` for an account of another app, or a storage failure.
  package init(
    _ stage: SampleStage, account: AccountID? = nil,
    form: (@escaping @MainActor () -> Void) -> Form
  ) async throws(GatebookError) {
    let (turns, take) = AsyncStream<Turn>.makeStream()
    self.stage = stage
    self.turns = turns
    self.take = take
    self.form = form { take.yield(.challenged) }
    manager = try await stage.book.authorizationManager(for: stage.app, account: account)
    await manager.register(self.form, for: Form.check)
  }

  /// Plays one turn after the other.
  ///
  /// - Parameter body: Shows the turn's screen; `false` ends the play.
  /// - Throws: What a screen throws.
  package func play(
    _ body: @MainActor (Turn) async throws(GatebookError) -> Bool
  ) async throws(GatebookError) {
    var iterator = turns.makeAsyncIterator()
    while let turn = await iterator.next() {
      guard try await body(turn) else { return }
    }
  }

  /// The form's button: answers an open challenge, or else logs in before the server asks.
  ///
  /// - Returns: Whether the play continues.
  package func press() async -> Bool {
    guard let answer = form.fillIn() else {
      // Every challenge ends in an answer or a cancel; a call that waits for it then fails.
      return await manager.cancel(Form.check)
    }
    let manager = manager
    if await manager.isChallenged(Form.check) {
      do throws(GatebookError) {
        try await manager.submitChallengeAnswer(answer, to: Form.check)
      } catch {
        take.yield(.failed(error))
      }
    } else {
      call { () throws(GatebookError) in
        try await manager.login(Form.check, credentials: answer)
        return .entered
      }
    }
    return true
  }

  /// Shows buttons until one of them is pressed.
  ///
  /// - Parameters:
  ///   - names: All but `logout` and `quit`, which every screen has.
  ///   - press: What one of them does.
  /// - Returns: Whether the play continues.
  package func choose(
    _ names: [String] = [], press: @MainActor (String) -> Void = { _ in }
  ) -> Bool {
    let all = names + ["logout"]
    let manager = manager
    while let choice = Terminal.ask("\(all.joined(separator: ", ")) or quit") {
      switch choice {
      case "quit": return false
      case "logout":
        call { () throws(GatebookError) in .loggedOut(try await manager.logout(Form.check)) }
        return true
      case let name where names.contains(name):
        press(name)
        return true
      default: Terminal.say("That button does not exist.")
      }
    }
    return false
  }

  /// Says how a logout went, and shows the form to the next person.
  ///
  /// - Returns: Whether the play continues.
  /// - Throws: As `welcomeSomebodyElse`.
  package func say(_ outcome: CheckLogout) async throws(GatebookError) -> Bool {
    Terminal.say(outcome == .done ? "Logged out." : "Logged out in the app, but not at the server.")
    try await welcomeSomebodyElse()
    return await press()
  }

  /// A manager belongs to one account from its login on: the next person gets another one.
  package func welcomeSomebodyElse() async throws(GatebookError) {
    manager = try await stage.book.authorizationManager(for: stage.app)
    await manager.register(form, for: Form.check)
  }

  /// Makes a call beside the screen.
  package func call(_ body: @escaping @Sendable () async throws(GatebookError) -> Turn) {
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
