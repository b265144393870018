internal import Gatebook

/// `gatebook request`.
struct RequestCommand: Command {
  private static let fail = CommandOption.flag(
    "--fail", "end with 1 when the status is 400 or more; the file of `-o` then stays as it was")
  static let help = Help(
    "request", "Send a request with the account's authority.", in: .use,
    details: [
      "The body of the answer goes to standard output, or to the file of `-o`. If the server refuses the "
        + "session, Gatebook renews it and sends the request once more. A path such as `/api/me` belongs to "
        + "the account's server.",
      "Bodies of any size are streamed. A body from a pipe that is longer than 1 MiB is sent only once, after "
        + "the server confirmed the session: a 401 then ends with 3, and nothing is sent again. "
        + "While a body is streamed, `--timeout` limits only how long the server may be silent.",
      "Credentials go to the account's own servers only; any other URL is refused before anything "
        + "is sent. A redirect to another server is not followed, nor one of anything but GET and HEAD, and a "
        + "message says so.",
    ],
    positionals: [RequestDraft.url],
    options: RequestDraft.options + AnswerOutput.options + [
      fail, Answers.standardInputOption, LoginArguments.timeoutOption,
    ],
    exitNotes: [
      (.failed, "with --fail: the status was 400 or more"),
      (.loginNeeded, "also: the server answered 401"),
    ],
    examples: [
      "gatebook request /api/me",
      "gatebook request --json '{\"name\":\"x\"}' https://portal.example/api/items",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let draft = try RequestDraft(call)
    let trace = call.output.isVerbose ? RequestTrace(call.output, draft.fields) : nil
    let ending: (HTTPRequest, Answer, [String])? = try await call.withBook(trace: trace) { book in
      let before = try await call.account(book)
      var request = try await draft.request(at: before.server)
      let place = try AnswerOutput(call, isHead: draft.isHead)
      request.sink = try place.sink()
      let account = before.account
      let watch = try await RenewalWatch(account, in: book)
      let reply: HTTPReply
      do {
        reply = try await call.worded(account, in: book) { [request] in
          try await Self.atHome(request.url, in: book) {
            try await book.send(request, as: account)
          }
        }
      } catch  where place.wasLeft {
        call.progress.finish()
        return nil
      }
      // Before the book is closed: a renewal may still be under way.
      let isFailure = call.arguments.has(Self.fail) && reply.status >= 400
      try place.show(reply, keepsFile: isFailure)
      call.output.flush()
      let demand = StepUp(reply) == nil ? nil : try await book.demandedStepUp(of: account)
      // The answer is printed, even if the book cannot be read by now.
      let after = reply.status == 401 ? try? await book.context(of: account) : nil
      let halt = reply.status == 401 ? try? await book.refusedRenewal(of: account) : nil
      let withheld = try? await book.withheld(in: reply, of: account)
      let advice = demand == nil ? nil : try? await book.why(account).advice
      let login = await NextLogin(after ?? before, in: book, options: call.givenPlace)
      return (
        request,
        Answer(
          reply: reply, before: before, demand: demand, advice: advice, after: after, halt: halt,
          withheld: withheld, login: login, isInFile: place.hasFile),
        await watch.news(in: book)
      )
    }
    // As with any program whose reader goes away.
    guard let (request, answer, news) = ending else { return .done }
    let reply = answer.reply
    if let redirect = UnfollowedRedirect(reply, to: request) {
      call.output.message(redirect.text)
    }
    for line in news { call.output.message(line) }
    guard reply.status >= 400 else { return .done }
    return refuse(answer, call)
  }

  /// What came of a request.
  private struct Answer: Sendable {
    let reply: HTTPReply
    /// The account before it.
    let before: SessionContext
    /// What the server wants of the login; `nil` for nothing.
    let demand: StepUp?
    /// What that calls for.
    let advice: Advice?
    /// The account after a 401, where it can be read.
    let after: SessionContext?
    /// How the last renewal has failed, where more than time is needed.
    let halt: GatebookError?
    /// Why the password was not sent, where the server asks for one.
    let withheld: GatebookError?
    /// How the account logs in again.
    let login: NextLogin
    /// Whether the body was meant for a file.
    let isInFile: Bool

    /// Whether the session was renewed, or another took its place, and the request was sent again.
    var wasRepeated: Bool {
      guard let after else { return false }
      return after.generation != before.generation || after.session != before.session
    }
  }

  /// Words the failure of a request to a foreign server by the account that belongs there.
  @MainActor private static func atHome<Value>(
    _ url: HTTPURL, in book: SessionBook, _ body: @MainActor () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch var error as GatebookError where error.code == .originForeign {
      // Where a redirect leads is not what was asked for.
      let owners = try await book.accounts(at: url)
      guard let owner = owners.first else { throw error }
      let options = owners.prefix(3).map { "`\(AccountRendering.option($0))`" }
      let name = Printable.text(AccountRendering.name(owner))
      error.remedy =
        (owners.count == 1
          ? "\(name) is the account of this book that belongs there: add "
          : "\(owners.count) accounts of this book belong there: add ")
        + "\(options.joined(separator: " or "))."
      throw error
    }
  }

  @MainActor private func refuse(_ answer: Answer, _ call: Call) -> ExitCode {
    let status = answer.reply.status
    if let demand = answer.demand {
      if let exit = tell(demand, of: answer, call) { return exit }
    } else if status == 401 {
      call.output.report(ErrorReport.of(Self.refusal(answer)))
      return .loginNeeded
    }
    guard call.arguments.has(Self.fail) else {
      call.output.message("The server answered with status \(status).")
      return .done
    }
    let error = GatebookError(
      .serverRefused, "The server answered with status \(status).", kept: "The session is kept.",
      remedy: answer.isInFile
        ? "The file of `-o` is as it was. Without `--fail` it gets the answer's body."
        : "See the answer's body on standard output.")
    call.output.report(ErrorReport.of(error))
    return .failed
  }

  /// Tells what the server wants of the login.
  ///
  /// - Returns: How the program ends; `nil` where the answer is one like any other.
  @MainActor private func tell(
    _ demand: StepUp, of answer: Answer, _ call: Call
  ) -> ExitCode? {
    let status = answer.reply.status
    var message = "The server wants a stronger login for this request (\(status))."
    var remedy =
      switch answer.advice {
      case .askServer:
        "No person can log in for an application's own tokens: ask who runs the server."
      case .logInByOpenID: "Log in by OpenID Connect: nothing else shows how strong a login was."
      default: "Log in as it demands: `gatebook login --step-up\(answer.login.account)`."
      }
    if StepUp.isAboutScopes(answer.reply) {
      let scopes = Printable.text(demand.scopes.joined(separator: ", "))
      message = "The session lacks scopes for this request\(scopes.isEmpty ? "" : ": " + scopes)."
      remedy =
        scopes.isEmpty || answer.advice == .askServer
        ? (scopes.isEmpty
          ? "The server does not say which\(answer.login.knowsScopes ? "" : ": see its documentation"). "
          : "")
          + answer.login.sentence(askingFor: demand.scopes)
        : Self.stepUp(answer, scopes: demand.scopes)
    } else if demand == StepUp() {
      remedy = "The server does not say how: ask who runs it, then log in again that way."
    }
    guard status == 401 else {
      call.output.message("\(message) \(remedy)")
      return nil
    }
    let error = GatebookError(
      .challengeUnhandled, message,
      kept: "The session is kept, and serves for what it served before.", remedy: remedy)
    call.output.report(ErrorReport.of(error))
    return .loginNeeded
  }

  /// How a session gets scopes that it lacks: on its server's page, which not every account has.
  private static func stepUp(_ answer: Answer, scopes: [String]) -> String {
    let page = "`gatebook login --step-up\(answer.login.account)` asks for them"
    guard answer.before.method.hasPrefix("oauth2") else { return "\(page)." }
    return "\(page) on the server's page; where it has none, "
      + "\(answer.login.clause(askingFor: scopes))."
  }

  /// Why a 401 is the last answer.
  private static func refusal(_ answer: Answer) -> GatebookError {
    let isOver = answer.after.map { !$0.state.isUsable } ?? false
    if !isOver, let withheld = answer.withheld { return withheld }
    if !isOver, let halt = answer.halt {
      return GatebookError(
        .sessionRefused,
        "The server refused this request (401), and its session could not be renewed. \(halt.message)",
        kept: "The session is kept.", remedy: halt.remedy, status: 401, serverCode: halt.serverCode)
    }
    return GatebookError(
      .sessionRefused,
      "The server refused this request (401)"
        + (answer.reply.isUnrepeated
          ? (answer.wasRepeated ? ". The session was renewed, but the" : ". The")
            + " request was not sent again, because its body came from a pipe."
          : answer.wasRepeated ? ", also after one more try." : "."),
      kept: isOver
        ? "The account is kept; its session is not: \(answer.after?.state.text ?? "")."
        : "The session is kept.",
      remedy: isOver
        ? "\(answer.login.sentence(.logInAgain)) See `gatebook why\(answer.login.account)`."
        : answer.reply.isUnrepeated && answer.wasRepeated
          ? "Send the request again."
          : "Check that the account may do this, or \(answer.login.clause(.logInAgain))."
    )
  }
}
