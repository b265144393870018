internal import Gatebook
internal import GatebookSecretService

extension Call {
  /// Opens the book for reading, with its key where it is at hand: without asking anybody.
  ///
  /// A named key is used or the command fails. Without a key personal facts stay encrypted, and a
  /// message says so.
  func reader() throws -> BookReader {
    if let lent { return try lent.open.get().reader }
    guard globals.key == .automatic else {
      return try BookReader.open(at: globals.book, key: try keySource(mayAsk: true))
    }
    let (reader, failure) = try readerIfAtHand()
    // For programs the value `sealed` in the results says the same.
    if let failure, !output.isJSON {
      let message = failure.message.hasSuffix(".") ? failure.message : "\(failure.message)."
      output.message("Personal data stays encrypted: \(message) \(Self.way(to: reader))")
    }
    return reader
  }

  /// Opens the book for reading with its key, where that is at hand without a question; `nil` where
  /// the book does not open.
  func readerAtHand() -> BookReader? {
    globals.key == .passphrase && lent == nil ? nil : (try? readerIfAtHand())?.reader
  }

  /// The same, but without a key rather than not at all.
  func readerUnasked() throws -> BookReader {
    try readerAtHand() ?? BookReader.open(at: globals.book)
  }

  /// How personal facts are seen: who only looks is never asked.
  private static func way(to book: BookReader) -> String {
    if (try? book.isPulled()) == true { return "Only the book itself decrypts it." }
    return book.keySource == "passphrase"
      ? "`--key passphrase` asks for it, or set $GATEBOOK_PASSPHRASE_FILE to a file that holds it."
      : "`gatebook doctor` shows where the key should be."
  }

  private func readerIfAtHand() throws -> (reader: BookReader, failure: GatebookError?) {
    if let lent { return (try lent.open.get().reader, nil) }
    let path = globals.book
    guard surroundings.keyFolder != nil else { return (try BookReader.open(at: path), nil) }
    let source = try keySource(mayAsk: false)
    do throws(GatebookError) {
      return (try BookReader.open(at: path, key: source), nil)
    } catch {
      guard error.code.rawValue.hasPrefix("key.") else { throw error }
      return (try BookReader.open(at: path), error)
    }
  }

  /// Where the master key is, as `--key` says it; `nil` for none.
  ///
  /// - Parameters:
  ///   - mayAsk: Whether a passphrase may be asked for on the terminal.
  ///   - withoutKeyring: Hears why the key of a new book does not go to the keyring.
  /// - Returns: The source.
  /// - Throws: `UsageError` when there is no folder for key files.
  func keySource(
    mayAsk: Bool, withoutKeyring: @escaping @Sendable (GatebookError) -> Void = { _ in }
  ) throws(UsageError) -> (any KeySource)? {
    switch globals.key {
    case .none: return nil
    case .secretService: return keyring
    case .file(let path): return KeyFile(path: FilePath.whole(path))
    case .passphrase: return passphrase(mayAsk: true)
    case .automatic:
      return AutomaticKey(
        folder: try keyFolder(), passphrase: passphrase(mayAsk: mayAsk),
        keyring: keyring, withoutKeyring: withoutKeyring)
    }
  }

  /// Where the master key is, for what cannot be done without it.
  ///
  /// - Parameters:
  ///   - message: What the key is needed for.
  ///   - kept: What was kept, or not done.
  ///   - remedy: What to do, where `--key none` was given.
  ///   - mayAsk: Whether a passphrase may be asked for on the terminal.
  ///   - withoutKeyring: As for ``keySource(mayAsk:withoutKeyring:)``.
  /// - Returns: The source.
  /// - Throws: `key.missing` with `--key none`; `UsageError` when there is no folder for key files.
  func requiredKey(
    _ message: String, kept: String = "Nothing was changed.",
    remedy: String = "Leave out `--key none`.", mayAsk: Bool = true,
    withoutKeyring: @escaping @Sendable (GatebookError) -> Void = { _ in }
  ) throws -> any KeySource {
    let key =
      mayAsk
      ? try keySource(mayAsk: true, withoutKeyring: withoutKeyring) : try keySourceUnasked()
    guard let key else {
      throw GatebookError(.keyMissing, message, kept: kept, remedy: remedy)
    }
    return key
  }

  /// Opens the book for reading with its key, for what cannot be done without it.
  ///
  /// - Throws: As ``requiredKey(_:kept:remedy:withoutKeyring:)``, and what opening throws.
  func keyedReader(
    _ message: String, kept: String = "Nothing was changed.",
    remedy: String = "Leave out `--key none`."
  ) throws -> BookReader {
    try BookReader.open(
      at: globals.book, key: try requiredKey(message, kept: kept, remedy: remedy))
  }

  /// Where the master key is, if it can be had without a question; `nil` for nowhere.
  func keySourceUnasked() throws(UsageError) -> (any KeySource)? {
    switch globals.key {
    case .passphrase: passphrase(mayAsk: false)
    // Where nobody knows a folder for keys, nothing is there.
    case .automatic where surroundings.keyFolder == nil: nil
    default: try keySource(mayAsk: false)
    }
  }

  /// The desktop's keyring.
  ///
  /// `--wait 0` is about books: no keyring answers in no time.
  var keyring: SecretServiceKeySource {
    SecretServiceKeySource(limit: max(globals.wait, .seconds(1)))
  }

  /// Where key files are that nobody has named.
  func keyFolder() throws(UsageError) -> String {
    guard let folder = surroundings.keyFolder else {
      throw UsageError(
        "Gatebook cannot find the folder of keys: neither XDG_CONFIG_HOME nor HOME is set.",
        remedy: "Set one of them, or give `--key file:PATH`.")
    }
    return folder
  }

  /// Whether opening the book may ask for its passphrase.
  var mayAskPassphrase: Bool {
    guard surroundings["GATEBOOK_PASSPHRASE_FILE"] == nil else { return false }
    return switch globals.key {
    case .passphrase: true
    case .automatic: (try? BookReader.open(at: globals.book))?.keySource == "passphrase"
    case .none, .file, .secretService: false
    }
  }

  private func passphrase(mayAsk: Bool) -> Passphrase? {
    if let path = surroundings["GATEBOOK_PASSPHRASE_FILE"] {
      return Passphrase { () throws(GatebookError) in try SecretFile.passphrase(path) }
    }
    guard mayAsk else { return nil }
    let asked = passphraseAsked
    return Passphrase { () throws(GatebookError) in try asked.answer() }
  }

  /// A passphrase that a book's key moves to, asked for once.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the book has none yet: then GATEBOOK_PASSPHRASE_FILE cannot mean the
  ///     former one.
  ///   - isUnfinished: Whether a move was interrupted: where nobody can be asked, the book keeps
  ///     the passphrase of that file, and the move is ended.
  /// - Returns: The passphrase as a source; nobody is asked yet.
  func newPassphrase(isFirst: Bool, isUnfinished: Bool) -> Passphrase {
    let answers = answers
    let path = surroundings["GATEBOOK_PASSPHRASE_FILE"]
    let asked = AskedOnce { () throws(GatebookError) in
      if isFirst, let path { return try SecretFile.passphrase(path) }
      do throws(GatebookError) {
        return try answers.newPassphrase()
      } catch  where error.code == .keyMissing && !isFirst && answers.areTyped {
        if isUnfinished, let path { return try SecretFile.passphrase(path) }
        throw error.keeping("The book's key still comes from its old passphrase.")
      }
    }
    return Passphrase { () throws(GatebookError) in try asked.answer() }
  }

  // MARK: Accounts

  /// The options that say which book and which key, as they were given: a command that is printed
  /// names them too.
  var givenPlace: String {
    arguments.givenPlace
  }

  /// The options that say which account, which book and which key, as they were given.
  var givenAccount: String {
    GlobalOptions.accountOption.words(arguments[GlobalOptions.accountOption])
      .map { " \(ShellText.word($0))" }.joined() + givenPlace
  }

  /// Both clocks, read now: what has expired is shown so, also where nobody has recorded it.
  var now: Moment { surroundings.clock.now() }

  /// The account that `--account` names; `nil` when it names none.
  func namedAccount(_ reader: BookReader) throws -> SessionContext? {
    guard let name = globals.account else { return nil }
    return try AccountSelector.select(name, among: try reader.accounts(at: now))
  }

  /// The account that `--account` names; `nil`, and nothing is opened, when it names none.
  func namedAccount() throws -> SessionContext? {
    guard globals.account != nil else { return nil }
    return try namedAccount(try reader())
  }

  /// The account that `--account` names, for what mends or doubts what was folded: a whole id is
  /// taken as it is where names cannot be read.
  ///
  /// - Parameter find: Finds the account by its name.
  /// - Returns: The account; `nil` when none was named.
  /// - Throws: `UsageError` for an account that there is not; what `find` throws.
  func namedID(_ find: () async throws -> SessionContext?) async throws -> AccountID? {
    do {
      return try await find()?.account
    } catch {
      guard let name = globals.account, let id = AccountID(name.lowercased()),
        try BookReader.open(at: globals.book).knows(id)
      else { throw error }
      return id
    }
  }

  /// The account that is named, else the current one.
  func account(_ reader: BookReader) throws -> SessionContext {
    try choose(among: try reader.accounts(at: now))
  }

  /// The named account, else the one of the environment, else the current one.
  func choose(among accounts: [SessionContext]) throws -> SessionContext {
    if let name = globals.account { return try AccountSelector.select(name, among: accounts) }
    try Self.refuseNone(accounts)
    if let name = globals.currentAccount {
      do {
        return try AccountSelector.select(name, among: accounts)
      } catch {
        throw UsageError("$GATEBOOK_ACCOUNT: \(error.message)", remedy: error.remedy)
      }
    }
    guard let current = accounts.first(where: \.isCurrent) else {
      throw GatebookError(
        .sessionRefused, "No account is the current one.",
        remedy:
          "Choose one with `gatebook switch ACCOUNT`, or add `--account ACCOUNT`. `gatebook accounts` "
          + "lists them.")
    }
    return current
  }

  /// Refuses a book without accounts.
  static func refuseNone(_ accounts: [SessionContext]) throws(GatebookError) {
    guard accounts.isEmpty else { return }
    throw GatebookError(
      .sessionRefused, "The book has no account yet.", remedy: "Log in: see `gatebook help login`.")
  }

  // MARK: Times

  /// Reads times as of now in the reader's zone.
  var timeReader: TimeReader {
    TimeReader(
      now: surroundings.clock.now().wall, zone: globals.isUTC ? .utc : surroundings.zone)
  }
}
