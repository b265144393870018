internal import Gatebook
internal import GatebookCurl
internal import GatebookSystem

extension Call {
  /// Opens the book for writing, runs a body with it, and closes it whatever comes.
  ///
  /// One request may take as long as `--timeout` says, of commands that have it.
  ///
  /// - Parameters:
  ///   - mayMake: Whether a book is made when there is none; only a login makes one.
  ///   - delivers: Whether waiting messages are delivered to servers afterwards.
  ///   - asks: Whether a passphrase may be asked for on the terminal.
  ///   - trace: Hears of each request; `nil` for nobody.
  ///   - body: What is done with the book.
  /// - Returns: What the body returns.
  /// - Throws: What opening or the body throws.
  func withBook<Value>(
    mayMake: Bool = false, delivers: Bool = true, asks: Bool = true,
    trace: RequestTrace? = nil, _ body: @MainActor (SessionBook) async throws -> Value
  ) async throws -> Value {
    if let lent {
      do {
        return try await body(try lent.open.get().book)
      } catch var error as GatebookError {
        nameOther(in: &error)
        throw error
      }
    }
    let timeout = try LoginArguments.timeout(arguments)
    let isNew = FileStatus(of: globals.book).map { $0.size == 0 } ?? (SystemError.last == .missing)
    // Only a login makes a book: a mistyped path must not become an empty one, and a book that was
    // cut to nothing must not become one without accounts.
    if isNew, !mayMake { _ = try BookReader.open(at: globals.book) }
    let reason = Locked<GatebookError?>(nil)
    let key = try requiredKey("This command needs the book's key.", mayAsk: asks) { why in
      reason.withLock { $0 = why }
    }
    if isNew, globals.book == surroundings.defaultBook {
      Files.makeFolders(BookPath.split(globals.book).folder)
    }
    var transport = CommandTransport.curl(self, isLogin: mayMake)
    (transport.limit, transport.trace) = (timeout, trace)
    let book = try await SessionBook.open(
      at: globals.book, key: key, program: program, transport: transport,
      suffixes: PublicSuffixesOnDemand(), wait: globals.wait, renewalPolicy: .beforeUse)
    do {
      if isNew { try announceKey(reason.withLock { $0 }) }
      // While it was opened others may have held it.
      try Task.checkCancellation()
      let value = try await body(book)
      await close(book, delivers: delivers)
      return value
    } catch {
      let waitedFor = Task.isCancelled ? await awaitRenewals(of: book) : []
      let hasTaken = await close(book, delivers: delivers && !Task.isCancelled)
      guard var error = error as? GatebookError else { throw error }
      nameOther(in: &error)
      if error.code == .cancelled, let told = cancelled(after: waitedFor) { throw told }
      guard hasTaken, error.code.isOfStorage else { throw error }
      throw error.keeping("What the server granted is saved in the book.")
    }
  }

  /// Names the account of who logged in where a login was to be another user's.
  private func nameOther(in error: inout GatebookError) {
    guard let account = error.otherAccount,
      let other = try? readerAtHand()?.accounts(at: now).first(where: { $0.account == account })
    else { return }
    error.message += " That user is \(Printable.text(AccountRendering.person(other))) in this book."
    error.remedy =
      "Log in as the account's user; on a login page, log out there first. To log in as the other user: "
      + "`gatebook login \(AccountRendering.option(other))\(givenPlace)`."
  }

  /// Waits for the answers to renewals that a command began before it was cancelled.
  ///
  /// - Returns: The accounts, as they are now.
  private func awaitRenewals(of book: SessionBook) async -> [SessionContext] {
    let accounts = await book.stopRenewals()
    guard !accounts.isEmpty else { return [] }
    output.message(
      "Waiting for the server's answer to a renewal: without it, the session could be lost. Press "
        + "Ctrl-C again to stop at once.")
    await book.settleRenewals()
    let now = (try? await book.accounts()) ?? []
    return now.filter { accounts.contains($0.account) }
  }

  /// What has become of sessions whose answers came after a command was cancelled; `nil` for none.
  private func cancelled(after renewed: [SessionContext]) -> GatebookError? {
    guard !renewed.isEmpty else { return nil }
    guard let ended = renewed.first(where: { !$0.state.isUsable }) else {
      return GatebookError(
        .cancelled, "The caller cancelled.",
        kept: "The session is kept; its renewal has finished.",
        remedy: "Nothing needs to be done.")
    }
    return GatebookError(
      .cancelled, "The caller cancelled.",
      kept:
        "The account, its attributes and its history are kept. Its session ended with the renewal: "
        + "\(ended.state.text).",
      remedy:
        "Log in again. `gatebook why \(AccountRendering.option(ended))\(givenPlace)` explains what "
        + "happened.")
  }

  /// Ends a command's work with a book.
  ///
  /// - Returns: Whether the book has taken what it could not take while the command did its work.
  @discardableResult
  func close(_ book: SessionBook, delivers: Bool) async -> Bool {
    // What servers could not be told before; the command's own work is done.
    if delivers { await book.deliverOutbox(within: .seconds(2)) }
    await book.close()
    return await waitUntilWritten(book)
  }

  /// Waits until the book has taken what servers have granted, and tells why it takes time.
  ///
  /// - Parameter book: The book.
  /// - Returns: Whether it could not take it before, and has now.
  @discardableResult
  func waitUntilWritten(_ book: SessionBook) async -> Bool {
    guard await book.hasUnwrittenGrants else { return false }
    do {
      let hasTold = Locked(false)
      try await book.waitUntilWritten { [output] reason in
        hasTold.withLock { $0 = true }
        await output.message(
          Printable.text(
            "A server answered, but the book cannot be written now: \(reason.message) This command "
              + "keeps trying until it can. Press Ctrl-C twice to give up, which may lose the session."
          ))
      }
      if hasTold.withLock({ $0 }) { output.message("The answer is now saved in the book.") }
      return true
    } catch {
      // No wait helps: what the server granted ends with this program.
      let lost = GatebookError(
        error.code,
        "A server answered, but the answer could not be saved in the book: \(error.message)",
        kept: "The rest of the book is kept; what the server just granted is lost.",
        remedy: error.remedy)
      output.report(ErrorReport.of(lost))
      return false
    }
  }

  /// How servers see this program.
  static let userAgent = "gatebook/\(CommandTable.version)"

  var program: Program {
    Program(
      name: "gatebook", version: CommandTable.version,
      installation: Installation.identity(in: surroundings.configurationFolder))
  }

  /// Says where the key of a new book is: without it the book cannot be read, and it is not beside
  /// the book.
  private func announceKey(_ reason: GatebookError?) throws {
    guard [.automatic, .secretService].contains(globals.key) else { return }
    let reader = try BookReader.open(at: globals.book)
    let place = KeyPlace(reader, folder: surroundings.keyFolder)
    let care =
      reader.keySource == "file"
      ? "Back up both, in different places." : "The book opens only with that keyring."
    output.message(
      Printable.text("Created a new book at \(globals.book); its key is \(place). \(care)"))
    // Where there is no desktop nobody misses its keyring.
    guard let reason, surroundings.mayHaveKeyring else { return }
    output.message(
      Printable.text(
        "The key is not in the desktop keyring: \(reason.message) `gatebook key move secret-service` "
          + "moves it there later."))
  }

  /// The account that `--account` names; `nil` when it names none.
  func namedAccount(_ book: SessionBook) async throws -> SessionContext? {
    guard let name = globals.account else { return nil }
    return try AccountSelector.select(name, among: try await book.accounts())
  }

  /// Refuses a command line that names no account, before a book is opened.
  func requireAccount(of help: Help) throws(UsageError) {
    guard globals.account == nil else { return }
    throw UsageError(
      "`\(help.name)` needs an account.",
      remedy: "Add the account's label, id or `user@host`. See `gatebook help \(help.name)`.")
  }

  /// The account that is named, else the current one.
  func account(_ book: SessionBook) async throws -> SessionContext {
    try choose(among: try await book.accounts())
  }
}
