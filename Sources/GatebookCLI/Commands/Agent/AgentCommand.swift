internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// `gatebook agent`.
struct AgentCommand: Command {
  private static let confirm = CommandOption.flag(
    "--confirm", "ask before a program uses it for the first time")
  private static let askWith = CommandOption.value(
    "--ask-with", "PROGRAM", "the program that shows the question (default: $SSH_ASKPASS)")

  static let help = Help(
    "agent", "Keep the book open, and answer for other gatebook processes.", in: .use,
    details: [
      "While it runs, `gatebook token` and the credential helpers hand their work over to it. Their answers "
        + "are the same with it and without it. If it does not answer within a second, they do the work "
        + "themselves. It renews sessions before their tokens expire, and delivers what waits for servers.",
      "It also serves as a proxy for all accounts: `http://HOST/PATH` goes to the account whose own server "
        + "HOST is. The field `Gatebook-Account: ACCOUNT` chooses one of several.",
      "`gatebook agent lock` makes it forget the key; then it refuses `token` and `credential` until "
        + "`gatebook agent unlock`. If the key needs a passphrase and there is no terminal to ask on, it starts locked. "
        + "An empty $GATEBOOK_AGENT means that no agent is used.",
      "--confirm asks by `$SSH_ASKPASS` or `--ask-with PROGRAM`: the question is the argument, and exit "
        + "status 0 is a yes, which counts until the lock or the end. It shows who uses the accounts. It "
        + "does not stop a hostile program of the same user.",
    ],
    options: [AgentPlace.option, confirm, askWith, Answers.standardInputOption],
    exitNotes: [(.done, "also: a signal ended the agent")],
    examples: [
      "gatebook agent", "gatebook agent --confirm --ask-with ssh-askpass",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let confirmation = try Self.confirmation(call)
    let path = try AgentPlace.path(call)
    _ = try call.requiredKey("An agent needs the book's key.", mayAsk: false)
    // Before a passphrase is asked for: a second agent has no use for it.
    let place = try Self.listen(at: path)
    let agent = Agent(call, confirmation)
    do {
      try await Self.open(agent, call)
      try Task.checkCancellation()
    } catch {
      place.close()
      await agent.end()
      throw error
    }
    OpenFiles.raiseLimit()
    let server = try ProxyServer(
      at: place, Agent.settings(for: agent, call.surroundings.clock))
    agent.server = server
    await agent.record(AgentStarted(confirms: confirmation != nil))
    call.output.line(Printable.text(path))
    call.output.flush()
    call.output.message("The agent serves \(call.globals.book). Press Ctrl-C to end it.")
    await withTaskCancellationHandler {
      await server.ended()
    } onCancel: {
      server.end()
    }
    await agent.end()
    return .done
  }

  @MainActor private static func confirmation(_ call: Call) throws(UsageError) -> Confirmation? {
    let given = call.arguments[askWith]
    guard call.arguments.has(confirm) else {
      guard given == nil else {
        throw UsageError("`--ask-with` needs `--confirm`.", remedy: "Add `--confirm`.")
      }
      return nil
    }
    guard let asker = given ?? call.surroundings["SSH_ASKPASS"] else {
      throw UsageError(
        "Nothing says which program is to ask.",
        remedy: "Add `--ask-with PROGRAM`, such as ssh-askpass, or set SSH_ASKPASS.")
    }
    let folders = (call.surroundings["PATH"] ?? "").split(separator: ":").map { "\($0)/\(asker)" }
    guard (asker.contains("/") ? [asker] : folders).contains(where: Files.isExecutable) else {
      throw UsageError(
        "The program that is to ask cannot be run: \(Printable.text(asker))",
        remedy: "Install it, or choose another one with `--ask-with PROGRAM`.")
    }
    _ = ThisProcess.setEnvironment("SSH_ASKPASS_PROMPT", to: "confirm")
    return Confirmation(asker: asker, clock: call.surroundings.clock)
  }

  private static func listen(at path: String) throws(GatebookError) -> ProxyPlace {
    do throws(GatebookError) {
      return try ProxyPlace.socket(at: path)
    } catch {
      guard LocalSocket.answers(at: path) else { throw error }
      throw GatebookError(
        .configurationInvalid, "Another agent serves at \(path).", kept: "That agent continues.",
        remedy: "`gatebook agent status` shows it. For a second one, add `--socket PATH`.")
    }
  }

  /// Opens the book; without its key the agent begins locked.
  @MainActor private static func open(_ agent: Agent, _ call: Call) async throws {
    // A mistyped path is said at once.
    _ = try BookReader.open(at: call.globals.book)
    do {
      try await agent.open(try call.requiredKey("An agent needs the book's key."))
    } catch let error as GatebookError where [.keyMissing, .keyLocked].contains(error.code) {
      agent.stayLocked(error)
      call.output.message(
        Printable.text(
          "The agent starts locked: \(error.message) `gatebook agent unlock\(call.givenPlace)` unlocks it."
        ))
    }
    call.passphraseAsked.forget()
  }
}
