internal import Gatebook

/// `gatebook request`.
struct RequestCommand: Command {
  private static let method = CommandOption.value(
    "-X", "M", "the method (GET, or POST with a body)")
  private static let body = CommandOption.value(
    "-d", "BODY|@FILE|@-", "the body: text, a file's bytes, or standard input")
  private static let field = CommandOption.values("-H", "FIELD", "a header field: `Name: value`")
  private static let fail = CommandOption.flag(
    "--fail", "end with 1 when the status is 400 or more")
  /// `TRACK` is an old server's name for the same; servers that fold case echo `trace` too.
  private static let echoes: Set<String> = ["TRACE", "TRACK"]
  private static let url = Positional("URL", "where to: one of the account's own servers")

  static let help = Help(
    "request", "Send a request with the account's authority.", in: .use,
    details: [
      "The body of the answer goes to standard output as it is. A session that the server refuses is "
        + "renewed or proven once, and the request tried once more.",
      "Credentials go to the account's own servers only; any other URL is refused before anything "
        + "is sent. A redirect to another server is not followed, and a message says so.",
    ],
    positionals: [url], options: [method, body, field, fail, Answers.standardInputOption],
    exits: [
      .done, .failed, .usage, .loginNeeded, .serverTrouble, .damaged, .busy, .cannotOpen,
      .untrusted,
      .cancelled,
    ],
    example: "gatebook request -H 'Accept: application/json' https://portal.example/api/jsonws")

  func run(_ call: Call) async throws -> ExitCode {
    let request = try request(call)
    let (reply, demand, after) = try await call.withBook { book in
      let account = try await call.account(book).account
      let reply = try await call.worded(account, in: book) {
        try await book.send(request, as: account)
      }
      return (
        reply, StepUp(reply) == nil ? nil : try await book.demandedStepUp(of: account),
        // The answer is told, whatever the book can be read for by now.
        reply.status == 401 ? try? await book.context(of: account) : nil
      )
    }
    show(reply.body, call.output)
    if let redirect = UnfollowedRedirect(reply, to: request.url) {
      call.output.message(redirect.text)
    }
    guard reply.status >= 400 else { return .done }
    return refuse(reply.status, demand, after, call)
  }

  @MainActor private func request(_ call: Call) throws -> HTTPRequest {
    let arguments = call.arguments
    let url = try URLArgument.read(try arguments.required(Self.url), "URL")
    var body: [UInt8] = []
    if let text = arguments[Self.body] { body = try self.body(text, call) }
    let method = arguments[Self.method] ?? (arguments.has(Self.body) ? "POST" : "GET")
    guard !method.isEmpty, method.utf8.allSatisfy(HeaderField.isToken) else {
      throw UsageError("`-X` is no method of HTTP.", remedy: "Write one word, such as `PUT`.")
    }
    // RFC 9110 section 9.3.8: a client must not send fields in TRACE that hold sensitive data, since
    // the answer repeats them, and every request here holds the account's credentials.
    guard !Self.echoes.contains(method.uppercased()) else {
      throw UsageError(
        "`-X` is a method whose answer repeats the request: credentials would be printed.",
        remedy: "Use another method, such as `OPTIONS`.")
    }
    let fields = try arguments.all(Self.field).map { try HeaderField.read($0) }
    return HTTPRequest(method, url, fields: fields, body: body)
  }

  @MainActor private func body(_ text: String, _ call: Call) throws -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    guard text != "@-" else {
      guard !call.arguments.has(Answers.standardInputOption) else {
        throw UsageError(
          "Standard input cannot bring both the answers and the body.",
          remedy: "Give the body as `-d @FILE`.")
      }
      return try TextFile.bytes(nil, what: "body", limit: 64 << 20)
    }
    return try TextFile.bytes(String(text.dropFirst()), what: "body", limit: 64 << 20)
  }

  /// Bytes as they are; on a terminal only what it would not obey.
  @MainActor private func show(_ body: [UInt8], _ output: Output) {
    guard output.isTerminal else { return output.bytes(body) }
    guard let text = String(validating: body, as: UTF8.self) else {
      return output.message("The body is \(body.count) bytes that are no text: send it to a file.")
    }
    output.text(Printable.text(text, keepsLines: true))
    if !text.isEmpty, !text.hasSuffix("\n") { output.text("\n") }
  }

  @MainActor private func refuse(
    _ status: Int, _ demand: StepUp?, _ after: SessionContext?, _ call: Call
  ) -> ExitCode {
    if status == 401, demand != nil {
      let error = GatebookError(
        .challengeUnhandled, "The server wants a stronger login for this request (401).",
        kept: "The session is kept, and serves for what it served before.",
        remedy: "Log in as it demands: `gatebook login --step-up`.")
      call.output.report(ErrorReport.of(error).report)
      return .loginNeeded
    }
    if let demand {
      let scopes = demand.scopes.isEmpty ? "" : ": " + demand.scopes.joined(separator: ", ")
      call.output.message(
        "The session lacks scopes for this request\(Printable.text(scopes)). "
          + "`gatebook login --step-up` asks for them.")
    }
    if status == 401 {
      let isOver = after.map { !$0.mayBeTried } ?? false
      let error = GatebookError(
        .sessionRefused, "The server refused this request (401), also after one more try.",
        kept: isOver
          ? "The account is kept; its session is not: \(after?.state.text ?? "")."
          : "The session is kept.",
        remedy: isOver
          ? "Log in again; see `gatebook why`." : "The account may not read this; or log in again."
      )
      call.output.report(ErrorReport.of(error).report)
      return .loginNeeded
    }
    guard call.arguments.has(Self.fail) else {
      call.output.message("The server answered with status \(status).")
      return .done
    }
    let error = GatebookError(
      .serverRefused, "The server answered with status \(status).", kept: "The session is kept.",
      remedy: "See the answer's body on standard output.")
    call.output.report(ErrorReport.of(error).report)
    return .failed
  }
}
