internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// `gatebook proxy`.
struct ProxyCommand: Command {
  private static let to = CommandOption.value(
    "--to", "ORIGIN", "the server that requests go to, one of the account's own (its server)")
  private static let socket = CommandOption.value(
    "--socket", "PATH", "serve at a Unix socket, which only programs of this user can use")
  private static let port = CommandOption.value(
    "--port", "N",
    "serve at a port of 127.0.0.1, or at a free one (0); programs must show the capability")
  private static let readOnly = CommandOption.flag(
    "--read-only", "forward GET, HEAD and OPTIONS only")
  private static let path = CommandOption.values(
    "--path", "PREFIX", "forward this path and those below it only")
  private static let rate = CommandOption.value(
    "--rate", "N", "forward at most so many requests in a second")

  static let help = Help(
    "proxy", "Let other programs send requests with the account's authority.", in: .use,
    details: [
      "A program sends plain HTTP requests to the socket or the port. They go to the account's server with "
        + "its authorization, renewed and retried as by `gatebook request`. The program never gets a "
        + "token, a password or a cookie of the server. What it sends as `Authorization` or `Cookie` is "
        + "not forwarded.",
      "Other users of the machine cannot use the socket. A port is open to every program of the machine: "
        + "each request must show the capability that this command prints, as `Authorization: Bearer "
        + "CAPABILITY`, or as the password of Basic. It is valid for this run only, and fields that hold it "
        + "are not forwarded.",
      "The proxy speaks no TLS to programs. It ends with Ctrl-C or SIGTERM after the requests under way have "
        + "their answers; a second signal ends it at once, unless a refresh is under way.",
    ],
    positionals: [.account],
    options: [
      socket, port, to, readOnly, path, rate, Answers.standardInputOption,
      LoginArguments.timeoutOption,
    ],
    exitNotes: [(.done, "also: a signal ended the proxy")],
    examples: [
      "gatebook proxy --socket \"$XDG_RUNTIME_DIR/gatebook/api\"",
      "gatebook proxy work --port 8080 --read-only --path /api/v1",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let wanted = try Self.place(call.arguments)
    let rate = try call.arguments.integer(Self.rate, in: 1...1_000_000).map { Int($0) }
    let counts = try await call.withBook { book in
      let account = try await call.account(book)
      guard account.state.isUsable else { throw try await call.unusable(account, in: book) }
      var rules = try await Self.rules(call, account, in: book)
      if case .port = wanted { rules.capability = Capability(random: SystemRandom()) }
      OpenFiles.raiseLimit()
      let place = try wanted.listen()
      var settings = ProxySettings(rules, clock: call.surroundings.clock) {
        request throws(GatebookError) in
        do throws(GatebookError) {
          return try await book.send(request, as: account.account)
        } catch {
          throw await Self.advised(error, account.account, in: book, call)
        }
      }
      settings.rate = rate.map { RateLimit(perSecond: $0) }
      let option = AccountRendering.option(account)
      settings.remedies = [
        FailureCode.sessionRefused.rawValue: "gatebook login \(option)",
        "challenge.stepUp": "gatebook login --step-up \(option)",
      ]
      let journal = ProxyJournal(of: account.account, in: book, call.surroundings.clock)
      journal.listen(to: &settings)
      let server = try ProxyServer(at: place, settings)
      do throws(GatebookError) {
        try await journal.started(at: place, rules, rate: rate)
      } catch {
        Self.tell(unrecorded: "this proxy now", error, call)
      }
      Self.tell(place, rules, call)
      await withTaskCancellationHandler {
        await server.ended()
      } onCancel: {
        server.end()
      }
      if let error = await journal.ended(server.counts.unrecorded) {
        Self.tell(unrecorded: "the end of this proxy and its last requests", error, call)
      }
      return server.counts
    }
    Self.tell(counts, call)
    return .done
  }

  /// A failure with the command that logs in again, where only that helps.
  @MainActor private static func advised(
    _ failure: GatebookError, _ account: AccountID, in book: SessionBook, _ call: Call
  ) async -> GatebookError {
    do {
      return try await call.advised(account, in: book) { throw failure }
    } catch {
      return error as? GatebookError ?? failure
    }
  }

  /// Where programs are to connect.
  private enum Wanted {
    case socket(String)
    case port(UInt16)

    func listen() throws(GatebookError) -> ProxyPlace {
      switch self {
      case .socket(let path): try .socket(at: path)
      case .port(let port): try .port(port)
      }
    }
  }

  private static func place(_ arguments: Arguments) throws(UsageError) -> Wanted {
    switch try arguments.only(of: [socket, port]) {
    case socket: return .socket(try arguments.required(socket))
    case port:
      return .port(UInt16(try arguments.integer(port, in: 0...65_535) ?? 0))
    default:
      throw UsageError(
        "Nothing says where the proxy is to serve.",
        remedy: "Add `--socket PATH`, or `--port N` for programs that cannot use a socket.")
    }
  }

  @MainActor private static func rules(
    _ call: Call, _ account: SessionContext, in book: SessionBook
  ) async throws -> ProxyRules {
    let given = call.arguments[to]
    let url = try URLArgument.read(given ?? account.server, to.name)
    guard given == nil || (url.path == "/" && url.query == nil) else {
      throw UsageError(
        "`--to` is a server without a path.",
        remedy: "Write `--to \(url.origin)`; `--path` limits the paths.")
    }
    guard try await book.accounts(at: url).contains(where: { $0.account == account.account }) else {
      throw GatebookError(
        .originForeign, "\(url.origin) is not one of the account's own servers.",
        kept: "Nothing was sent.",
        remedy: "Log in with `--allow-origin \(url.origin)`, or choose another account.")
    }
    var rules = ProxyRules(to: url.origin)
    rules.isReadOnly = call.arguments.has(readOnly)
    rules.paths = call.arguments.all(path)
    for path in rules.paths {
      guard let whole = HTTPURL("\(url.origin)\(path)"), path.hasPrefix("/"), whole.path == path,
        PathSegment.areUnambiguous(in: path)
      else {
        throw UsageError(
          "`--path` is not a path as it is sent.",
          remedy: "Write it with a slash at its beginning and without `.`, `..`, `;` and a query.")
      }
    }
    return rules
  }

  /// Says what the book cannot record; the proxy serves all the same.
  @MainActor private static func tell(
    unrecorded what: String, _ error: GatebookError, _ call: Call
  ) {
    call.output.message(Printable.text("The book cannot record \(what): \(error.message)"))
  }

  @MainActor private static func tell(_ place: ProxyPlace, _ rules: ProxyRules, _ call: Call) {
    defer { call.output.flush() }
    let url = place.port.map { "http://127.0.0.1:\($0)" }
    if call.output.isJSON {
      call.output.json(
        .present([
          "socket": place.path.map { .text($0) }, "url": url.map { .text($0) },
          "capability": rules.capability.map { .text($0.text) },
          "server": .text(rules.origin.description),
        ]))
      return
    }
    call.output.line(Printable.text(place.path ?? url ?? ""))
    if let capability = rules.capability { call.output.line(capability.text) }
    call.output.message(
      "Requests go to \(rules.origin). Press Ctrl-C to end the proxy.")
  }

  @MainActor private static func tell(_ counts: ProxyCounts, _ call: Call) {
    let refused = counts.refused.sorted { $0.key.rawValue < $1.key.rawValue }
    if call.output.isJSON {
      let reasons = refused.map { ($0.key.rawValue, JSON.integer(Int64($0.value))) }
      call.output.json(
        .present([
          "forwarded": .integer(Int64(counts.forwarded)),
          "refused": .members(reasons.map { ($0.0, Optional($0.1)) }),
        ]))
      return
    }
    let total = refused.reduce(0) { $0 + $1.value }
    let reasons = refused.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    call.output.message(
      "The proxy has ended. Requests forwarded: \(counts.forwarded); refused: \(total)"
        + (reasons.isEmpty ? "." : " (\(reasons))."))
  }
}
