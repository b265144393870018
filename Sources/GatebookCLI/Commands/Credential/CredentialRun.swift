internal import Gatebook
internal import GatebookSystem

/// One run of a credential helper: chooses the account, and answers in the program's protocol.
///
/// Nobody is ever asked anything: the terminal belongs to the program.
@MainActor struct CredentialRun {
  let call: Call
  let helper: any CredentialProtocol
  let tokenUser: TokenUser

  init(_ call: Call, _ helper: any CredentialProtocol) {
    self.call = call
    self.helper = helper
    tokenUser = TokenUser(call.arguments)
  }

  /// The options of every helper.
  nonisolated static let options = [TokenUser.option, LoginArguments.timeoutOption]

  /// Answers a program.
  ///
  /// - Parameter read: What the program says.
  /// - Returns: How the process ends.
  /// - Throws: `CancellationError`; any other error becomes the protocol's "no".
  func run(_ read: (CredentialRun) throws -> [UInt8]) async throws -> ExitCode {
    do {
      let input = try call.lent?.input ?? read(self)
      if let exit = try call.byAgent(input) { return exit }
      guard let question = try helper.question(input) else { return .done }
      switch question.deed {
      case .get: return try await get(question)
      case .list: return try list()
      case .accepted, .rejected: return try await hear(question)
      }
    } catch let fault as CredentialFault {
      return refuse(fault.line, .failed)
    } catch let error where !(error is CancellationError) {
      let report = ErrorReport.of(error, account: call.givenAccount)
      return refuse("\(report.message) \(report.remedy)", report.exit)
    }
  }

  /// What the program writes to standard input; on a terminal a line says that this waits.
  func input(endsAtEmptyLine: Bool = false) throws -> [UInt8] {
    if FileDescriptor.isTerminal(FileDescriptor.standardInput) {
      say(
        "This waits for what \(helper.program) writes to standard input. Press Ctrl-C to cancel, or see "
          + "`gatebook help credential \(helper.program)`.")
    }
    return try CredentialInput.read(
      endsAtEmptyLine: endsAtEmptyLine, cancellation: call.answers.cancellation)
  }

  // MARK: Credentials

  private func get(_ question: CredentialQuestion) async throws -> ExitCode {
    let reader = try openReader()
    let named = try named(reader)
    for url in try places(of: question, reader, named) {
      let holders = try reader.credentialHolders(at: url, realms: question.realms, now: call.now)
      let choice = CredentialChoice(
        among: holders, for: question, named: named, tokenUser: tokenUser)
      switch choice {
      case .holder(let holder):
        let credential = try await credential(of: holder, at: url, question)
        return try give(credential, at: url, to: question)
      case .several(let accounts): return refuse(Self.line(of: accounts), .usage)
      case .needsLogin(let context): return refuse(line(of: context, in: reader), .loginNeeded)
      case .unfit(let context): return refuse(Self.unfit(context, question), .failed)
      case .nobody: continue
      }
    }
    if let line = try line(where: question, named, reader) { say(line) }
    return refuse(nil, .failed)
  }

  /// A credential: as the book has it where the session needs nothing, else after the session was
  /// renewed.
  ///
  /// The agent asks its open book, which may have a later one than the file.
  private func credential(
    of holder: CredentialHolder, at url: HTTPURL, _ question: CredentialQuestion
  ) async throws -> ProgramCredential {
    if call.lent == nil, holder.isReady, let credential = holder.credential { return credential }
    let account = holder.context.account
    // One of several was looked for already.
    let realm = question.realms?.count == 1 ? question.realms?.first : nil
    return try await call.withBook(delivers: false, asks: false) { book in
      try await call.worded(account, in: book) {
        let credential = try await book.credential(of: account, for: url, realm: realm)
        // A renewal that is still under way would take back what is handed out now.
        guard await call.settlesRenewals(of: book) else { return credential }
        return try await book.credential(of: account, for: url, realm: realm)
      }
    }
  }

  private func give(
    _ credential: ProgramCredential, at url: HTTPURL, to question: CredentialQuestion
  ) throws(CredentialFault) -> ExitCode {
    let handed = handed(credential, at: url, for: question.user)
    call.output.bytes(try helper.answer(handed, to: question))
    call.output.flush()
    return .done
  }

  private func handed(
    _ credential: ProgramCredential, at url: HTTPURL, for user: String?
  ) -> HandedCredential {
    let isToken = credential.kind == .token
    return HandedCredential(
      user: isToken ? tokenUser.name(for: user) : credential.user, secret: credential.secret,
      isToken: isToken, expiresAt: credential.expiresAt, url: url)
  }

  /// Where the question's credential goes; the server of the named account if the program does not
  /// say it.
  private func places(
    of question: CredentialQuestion, _ reader: BookReader, _ named: AccountID?
  ) throws -> [HTTPURL] {
    if let urls = question.urls { return urls }
    // The current account changes with each login, and the place does not.
    guard let account = try reader.accounts(at: call.now).first(where: { $0.account == named })
    else {
      throw CredentialFault(
        "\(helper.program) does not say where the token goes, so the account must be named: add "
          + "`--account ACCOUNT`.")
    }
    return HTTPURL(account.server).map { [$0] } ?? []
  }

  private func list() throws -> ExitCode {
    let reader = try openReader()
    let named = try named(reader)
    var credentials: [HandedCredential] = []
    let servers = Set(try reader.accounts(at: call.now).map(\.server))
    for url in servers.sorted().compactMap({ HTTPURL($0) }) {
      let choice = CredentialChoice(
        among: try reader.credentialHolders(at: url, now: call.now),
        for: CredentialQuestion(deed: .list), named: named, tokenUser: tokenUser)
      guard case .holder(let holder) = choice, let credential = holder.credential else { continue }
      credentials.append(handed(credential, at: url, for: nil))
    }
    call.output.bytes(helper.list(credentials))
    return .done
  }

  // MARK: Reports

  private func hear(_ question: CredentialQuestion) async throws -> ExitCode {
    let reader = try openReader()
    let named = try named(reader)
    for url in question.urls ?? [] {
      let holders = try reader.credentialHolders(at: url, now: call.now)
        .filter { named == nil || $0.context.account == named }
      guard let secret = question.secret else {
        let choice = CredentialChoice(
          among: holders, for: question, named: named, tokenUser: tokenUser)
        guard case .holder(let holder) = choice else { continue }
        return try await hear(question.deed, nil, of: holder.context)
      }
      let user = question.user
      if let holder = holders.first(where: { $0.holds(secret, for: user) })
        ?? (question.deed == .rejected
          ? holders.first { $0.mayHaveHeld(for: user, tokenUser) } : nil)
      {
        return try await hear(question.deed, secret, of: holder.context)
      }
    }
    guard helper.mustHearOfNothing else { return .done }
    return refuse(
      "Gatebook saves and forgets only what a login of its own brought. `gatebook login URL` logs in.",
      .failed)
  }

  private func hear(
    _ deed: CredentialQuestion.Deed, _ secret: Secret?, of context: SessionContext
  ) async throws -> ExitCode {
    let account = context.account
    let line: String? = try await call.withBook(delivers: false, asks: false) { book in
      do {
        switch (deed, secret) {
        case (.rejected, let secret?):
          try await book.reportRejected(secret, of: account, by: helper.program)
        case (.rejected, nil):
          try await book.reportRemoved(of: account, by: helper.program)
          return "The session of \(Self.name(context)) is kept. "
            + "`gatebook logout \(AccountRendering.option(context))` ends it."
        case (_, let secret?):
          try await book.reportAccepted(secret, of: account, by: helper.program)
        case (_, nil): break
        }
        return nil
      } catch let error as GatebookError where !error.code.isOfStorage {
        // A server that gave no answer changes nothing, and the program says itself what failed.
        let context = try await book.context(of: account)
        guard !context.state.isUsable else { return nil }
        let login = await NextLogin(context, in: book, options: call.givenPlace)
        return "The server rejected the credential of \(Self.name(context)), and its session has "
          + "ended. \(login.sentence(.logInAgain))"
      }
    }
    if let line { say(line) }
    return .done
  }

  // MARK: The book

  /// Opens the book with its key, without a question to anybody.
  private func openReader() throws -> BookReader {
    if let lent = call.lent { return try lent.open.get().reader }
    let reader = try BookReader.open(at: call.globals.book, key: try call.keySourceUnasked())
    guard reader.hasKey else {
      throw GatebookError(
        .keyMissing, "The book's key is not at hand, and a credential helper asks nobody for it.",
        kept: "Nothing was changed.",
        remedy: "Set $GATEBOOK_PASSPHRASE_FILE to a file that holds the passphrase, or see "
          + "`gatebook doctor`.")
    }
    return reader
  }

  /// The account of `--account`, else that of the environment.
  private func named(_ reader: BookReader) throws -> AccountID? {
    guard call.globals.account != nil || call.globals.currentAccount != nil else { return nil }
    return try call.account(reader).account
  }

  // MARK: Refusals

  private func refuse(_ line: String?, _ exit: ExitCode) -> ExitCode {
    if let line { say(line) }
    let (output, exit) = helper.refusal(line, exit)
    call.output.bytes(output)
    return exit
  }

  /// One line on standard error; shown with `--quiet` too, as errors are.
  private func say(_ line: String) {
    call.output.instruction("gatebook: \(Printable.text(line))")
  }

  private static func name(_ context: SessionContext) -> String {
    Printable.text(AccountRendering.name(context))
  }

  private func line(of context: SessionContext, in reader: BookReader) -> String {
    let login = call.login(of: context, in: reader)
    return "The account \(Self.name(context)) has no usable session: \(context.state.text). "
      + (login?.sentence(.logInAgain) ?? "")
  }

  private static func line(of accounts: [SessionContext]) -> String {
    let options = accounts.prefix(5).map { "`\(AccountRendering.option($0))`" }
    return "\(accounts.count) accounts of this book could answer, and none is the current one. Add "
      + options.joined(separator: " or ") + " to the helper's command."
  }

  private static func unfit(_ context: SessionContext, _ question: CredentialQuestion) -> String {
    let what = question.wantsToken ? "access token" : "password or token for this place"
    return "The account \(name(context)) has no \(what) that another program could send. "
      + "`gatebook request \(AccountRendering.option(context))` sends requests as it."
  }
}
