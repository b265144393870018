internal import Gatebook

/// `gatebook token`.
struct TokenCommand: Command {
  static let lifetime = CommandOption.value(
    "--min-lifetime", "S",
    "how many seconds it must still be valid; otherwise a new one is requested (0)")
  static let scope = CommandOption.value(
    "--scope", "S", "the scopes that it must have, separated by blanks (the default scope)")
  private static let format = CommandOption(
    name: "--format", placeholder: "FORMAT",
    note: TokenFormat.all.map(\.name).joined(separator: ", ") + " (plain)",
    choices: TokenFormat.all.map(\.name))
  private static let user = CommandOption.value(
    "--user", "NAME", "the user name in netrc and xoauth2 (the account's)")
  private static let host = CommandOption.value(
    "--host", "HOST", "the host in netrc, without a port (the account's server)")

  static let help = Help(
    "token", "Print an access token that is valid now.", in: .use,
    details: [
      "A valid token is printed without a request, otherwise a new one is requested. In the "
        + "last fifth of its lifetime a new one is requested first; if none comes, the old one "
        + "is printed while it is valid. The token is a secret: pass it on by a pipe, not as an "
        + "argument. OAuth 2, OpenID Connect and MobileFirst accounts have one. A token that is "
        + "bound to a key (DPoP) works only with `gatebook request`.",
      "A token of OAuth 2 has the scopes of its login. If a scope of --scope is not among "
        + "them, the command names it and fails.",
      "--format prints it in the form that a program reads. plain: the token alone. header: a "
        + "header field. netrc: an entry of a .netrc file. curl: a line for `curl --config -`. json: "
        + "as with --json. xoauth2: the answer for mail servers, in Base64. exec-credential: for "
        + "Kubernetes. aws-web-identity: the token alone, without a line end, if AWS can accept it. "
        + "bazel: the answer of a credential helper. A value that a format has no way to write is "
        + "refused. If the host of --host is not a server of the account, a message says so.",
    ],
    positionals: [.account],
    options: [
      lifetime, scope, format, user, host, Answers.standardInputOption,
      LoginArguments.timeoutOption,
    ],
    examples: [
      "gatebook token work --min-lifetime 60 | my-program --token-stdin",
      "gatebook token --scope notes",
      "gatebook token --format curl | curl --config - https://api.example/me",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let form = try Self.form(call)
    let lifetime = try arguments.seconds(Self.lifetime) ?? .zero
    if let exit = try call.byAgent() { return exit }
    let scope = arguments[Self.scope]
    // Whether a host is the account's is known of an open book.
    if form.host == nil,
      try call.withReadyToken(
        lifetime: lifetime, scope: scope, { try form.print($0, of: $1, call) })
    {
      return .done
    }
    try await call.withBook { book in
      let account = try await call.account(book)
      try await call.withToken(of: account, in: book, lifetime: lifetime, scope: scope) {
        try form.print($0, of: account, call)
      }
      if let host = form.host, try await Self.isForeign(host, to: account, in: book) {
        call.output.message(
          "\(Printable.text(host)) is not a server of this account. A program that reads this entry sends "
            + "the token there.")
      }
    }
    return .done
  }

  /// Whether a host is none of an account's: neither its server's, nor one that a login allowed.
  private static func isForeign(
    _ host: String, to account: SessionContext, in book: SessionBook
  ) async throws -> Bool {
    let name = host.lowercased()
    let allowed = try await book.savedSettings(of: account.account)?.options.origins ?? []
    guard HTTPURL(account.server)?.origin.host != name,
      !allowed.contains(where: { $0.host == name })
    else { return false }
    guard let url = HTTPURL("https://\(authority(host))/") else { return true }
    return try await !book.accounts(at: url).contains { $0.account == account.account }
  }

  /// A host as a URL has it.
  private static func authority(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }

  /// How the token is to be printed.
  ///
  /// - Throws: `UsageError` for options that do not fit each other.
  private static func form(_ call: Call) throws(UsageError) -> Form {
    let name = call.arguments[Self.format]
    let format = TokenFormat.all.first { $0.name == name } ?? (call.output.isJSON ? .json : .plain)
    if call.output.isJSON, format.name != TokenFormat.json.name {
      throw UsageError(
        "`--json` and `--format \(format.name)` cannot be combined.",
        remedy: "Give only one of them.")
    }
    for (option, fits) in [(user, format.hasUser), (host, format.hasHost)]
    where call.arguments.has(option) && !fits {
      let others = TokenFormat.all.filter { option == user ? $0.hasUser : $0.hasHost }
      let names = others.map { "`--format \($0.name)`" }.joined(separator: " or ")
      throw UsageError(
        "`\(option.name)` does not fit the format `\(format.name)`.",
        remedy: "Leave it out, or add \(names).")
    }
    let host = call.arguments[Self.host]
    if let host, HTTPURL("https://\(authority(host))/")?.origin.host != host.lowercased() {
      throw UsageError(
        "The value of `--host` is not the name of a host.",
        remedy: "Write the name or the address alone, such as `--host api.example`.")
    }
    return Form(format: format, user: call.arguments[Self.user], host: host)
  }

  /// How the token is to be printed, and what was given for it.
  private struct Form {
    let format: TokenFormat
    let user: String?
    let host: String?

    /// Prints a token at once: where the book cannot be written, that it is closed takes its time.
    @MainActor func print(
      _ token: IssuedToken, of account: SessionContext, _ call: Call
    ) throws(GatebookError) {
      let server = HTTPURL(account.server)?.origin.host
      let printed = PrintedToken(
        value: token.text, scope: token.scope, expiresAt: token.expiresAt,
        user: user ?? AccountRendering.userName(account) ?? "",
        host: host ?? server ?? "")
      let text = try format.text(printed)
      defer { call.output.flush() }
      call.output.bytes(Array((format.endsLine ? text + "\n" : text).utf8))
    }
  }
}
