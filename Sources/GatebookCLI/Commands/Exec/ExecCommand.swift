internal import Gatebook
internal import GatebookSystem

/// `gatebook exec`.
///
/// The program replaces this process, so that its parent, its terminal and its signals are the
/// same as without Gatebook. A process beside it refreshes the token: ``RenewCommand``.
struct ExecCommand: Command {
  static let help = Help(
    "exec", "Run a program with an access token.", in: .use,
    details: [
      "The token is the one that `gatebook token` prints. It is never in an argument. With --file "
        + "and --fd it is renewed until the program ends; with --env it is not, and every program "
        + "that it starts gets it too.",
      "--file NAME: the variable NAME holds the path of a file with the token, of mode 0600 in a "
        + "folder of mode 0700 below $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp. Open the file each "
        + "time the token is needed: it is replaced as a whole. It is removed when the program ends.",
      "--fd N: open /dev/fd/N each time the token is needed, and read it at once. The token is in "
        + "memory only.",
      "The program replaces Gatebook: it has the same process number, and signals and the exit "
        + "status are its own. If Gatebook cannot get a token, the program is not started.",
    ],
    positionals: [.account],
    options: TokenPlace.options + [
      TokenCommand.lifetime, TokenCommand.scope, LoginArguments.timeoutOption,
    ],
    exitNotes: [
      (.notRunnable, "the program cannot be run"), (.notFound, "the program does not exist"),
    ],
    examples: [
      "gatebook exec work --file API_TOKEN_FILE -- my-server --port 8080",
      "gatebook exec work --fd 3 -- my-program --token-file /dev/fd/3",
      "gatebook exec work --env API_TOKEN -- my-script",
    ], takesProgram: true)

  func run(_ call: Call) async throws -> ExitCode {
    // Asked before Gatebook opens anything itself.
    let inherited = FileDescriptor.inheritable
    let program = call.arguments.program ?? []
    let place = try TokenPlace(call.arguments, taken: inherited)
    try ProgramError.check(program.first ?? "", in: call.surroundings.environment["PATH"])
    let call = call.readingPassphraseOnce()
    let (account, token, seen) = try await Self.token(call)
    let renewal = try place.prepared(token, in: call.surroundings.runtimeFolder)
    do {
      try renewal?.start(
        of: account, validUntil: token.expiresAt, seen: seen,
        passphrase: call.passphraseAsked.given, call)
      try Task.checkCancellation()
      try call.output.finish()
      Terminal.restore()
      for descriptor in FileDescriptor.inheritable.subtracting(inherited) {
        FileDescriptor.keepBack(descriptor)
      }
      try place.hand(token, renewal)
      throw ProgramError.refused(program.first ?? "", ThisProcess.become(program))
    } catch {
      renewal?.remove()
      throw error
    }
  }

  @MainActor private static func token(
    _ call: Call
  ) async throws -> (account: AccountID, token: IssuedToken, seen: String?) {
    let lifetime = try call.arguments.seconds(TokenCommand.lifetime) ?? .zero
    var issued: IssuedToken?
    var seen: String?
    let id = try await call.withBook { book in
      let account = try await call.account(book)
      seen = TokenRenewal.session(of: account.account, call)
      try await call.withToken(
        of: account, in: book, lifetime: lifetime, scope: call.arguments[TokenCommand.scope]
      ) { issued = $0 }
      return account.account
    }
    guard let issued else { throw CancellationError() }
    return (id, issued, seen)
  }
}

extension TokenPlace {
  /// Prepares a place whose token is renewed; `nil` for the environment.
  fileprivate func prepared(
    _ token: IssuedToken, in folder: String
  ) throws(GatebookError) -> RenewedToken? {
    switch self {
    case .variable: return nil
    case .file:
      TokenFolder.removeLeftovers(in: folder)
      let folder = try TokenFolder(in: folder)
      let renewed = RenewedToken.folder(folder)
      do throws(GatebookError) {
        try renewed.replace(by: token)
      } catch {
        folder.remove()
        throw error
      }
      return renewed
    case .descriptor:
      guard let file = OpenFile.inMemory(named: "token") else {
        throw GatebookError(
          .configurationInvalid, "This system has no files in memory.",
          kept: GatebookError.sessionKept, remedy: "Use `--file NAME` instead of `--fd N`.",
          cause: SystemError.last.text)
      }
      let renewed = RenewedToken.memory(file)
      try renewed.replace(by: token)
      return renewed
    }
  }

  /// Gives the token to the program that takes this process's place.
  fileprivate func hand(_ token: IssuedToken, _ renewed: RenewedToken?) throws(GatebookError) {
    let isHanded =
      switch (self, renewed) {
      case (.variable(let name), _):
        // The system would end the value there.
        !token.text.utf8.contains(0) && ThisProcess.setEnvironment(name, to: token.text)
      case (.file(let name), .folder(let folder)):
        ThisProcess.setEnvironment(name, to: folder.file)
      case (.descriptor(let number), .memory(let file)):
        file.readable.map { file in
          // Otherwise it could be closed before it is copied.
          withExtendedLifetime(file) { FileDescriptor.hand(file.descriptor, as: number) }
        } ?? false
      default: false
      }
    guard isHanded else {
      throw GatebookError(
        .limitExceeded, "The token could not be given to the program.",
        kept: "\(GatebookError.sessionKept) The program was not started.",
        remedy: "Try `--file NAME`.")
    }
  }
}
