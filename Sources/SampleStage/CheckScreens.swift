package import Gatebook

/// The screens of an app with one security check: its form, and the protected screen.
///
/// Calls run beside the screen. What comes of one, and every challenge, is a turn that brings the
/// next screen.
@MainActor package final class CheckScreens {
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

  /// A button of the protected screen: its name, and the call that it makes.
  package typealias Button = (
    name: String, press: @Sendable (AuthorizationManager) async throws(GatebookError) -> String
  )

  /// Answers for the account, or for a new login.
  package private(set) var manager: AuthorizationManager
  private let form: LoginForm
  private let button: Button?
  private let stage: SampleStage
  private let turns: AsyncStream<Turn>
  private let take: AsyncStream<Turn>.Continuation

  /// Makes the screens.
  ///
  /// - Parameters:
  ///   - stage: Where they play.
  ///   - account: Whose they are; `nil` for a new login.
  ///   - asksToRemember: Whether the form has a switch for the server's memory.
  ///   - button: What the protected screen has beside `logout` and `quit`.
  /// - Throws: `configuration.invalid` for an account of another app, or a storage failure.
  package init(
    _ stage: SampleStage, account: AccountID? = nil, asksToRemember: Bool = false,
    button: Button? = nil
  ) async throws(GatebookError) {
    let (turns, take) = AsyncStream<Turn>.makeStream()
    self.stage = stage
    self.turns = turns
    self.take = take
    self.button = button
    form = LoginForm(asksToRemember: asksToRemember) { take.yield(.challenged) }
    manager = try await stage.book.authorizationManager(for: stage.app, account: account)
    await manager.register(form, for: LoginForm.check)
  }

  /// Plays one turn after the other; returns when the person leaves.
  ///
  /// - Throws: What a screen throws.
  package func play() async throws(GatebookError) {
    var iterator = turns.makeAsyncIterator()
    while let turn = await iterator.next() {
      guard try await show(turn) else { return }
    }
  }

  /// The form's button: answers an open challenge, or else logs in before the server asks.
  ///
  /// - Returns: Whether the play continues.
  package func press() async -> Bool {
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
        return .entered
      }
    }
    return true
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

  private func show(_ turn: Turn) async throws(GatebookError) -> Bool {
    switch turn {
    case .challenged: return await press()
    case .entered:
      Terminal.say("Hello, \(try await displayName()).")
      return choose()
    case .told(let text):
      Terminal.say(text)
      return choose()
    case .loggedOut(let outcome):
      Terminal.say(
        outcome == .done ? "Logged out." : "Logged out in the app, but not at the server.")
      try await welcomeSomebodyElse()
      return await press()
    case .failed(let error) where error.code == .challengeCancelled: return false
    case .failed(let error):
      // The form has said already why the check refuses.
      if error.code != .challengeBlocked { Terminal.say(error) }
      if error.code == .identityMismatch { try await welcomeSomebodyElse() }
      return form.displayName == nil ? await press() : choose()
    }
  }

  /// Shows the buttons until one of them is pressed; whether the play continues.
  private func choose() -> Bool {
    let names = [button?.name, "logout"].compactMap(\.self).joined(separator: ", ")
    let manager = manager
    while let choice = Terminal.ask("\(names) or quit") {
      switch choice {
      case "quit": return false
      case "logout":
        call { () throws(GatebookError) in .loggedOut(try await manager.logout(LoginForm.check)) }
        return true
      case let name:
        guard let button, button.name == name else {
          Terminal.say("That button does not exist.")
          continue
        }
        call { () throws(GatebookError) in .told(try await button.press(manager)) }
        return true
      }
    }
    return false
  }

  /// The name that the check told.
  ///
  /// Without a form it is in the book, so it is there without the network; a logout removes it.
  private func displayName() async throws(GatebookError) -> String {
    if let name = form.displayName { return name }
    guard let account = await manager.account else { return "stranger" }
    return try await stage.book.context(of: account).user["displayName"] ?? "stranger"
  }

  /// A manager belongs to one account from its login on: the next person gets another one.
  private func welcomeSomebodyElse() async throws(GatebookError) {
    form.clear()
    manager = try await stage.book.authorizationManager(for: stage.app)
    await manager.register(form, for: LoginForm.check)
  }
}
