internal import Gatebook
internal import GatebookLoginPage
internal import GatebookSystem

/// What a command is handed: what was asked for, where it runs, and where its results go.
@MainActor struct Call {
  /// The command's own options and positionals.
  private(set) var arguments: Arguments
  /// What every command takes.
  private(set) var globals: GlobalOptions
  /// The process's surroundings.
  private(set) var surroundings: Surroundings
  /// Results and messages.
  let output: Output
  /// Answers to questions.
  let answers: Answers
  /// Says how far long work has come.
  let progress: ProgressLine
  /// What follows the program's name, as it was given.
  let line: [String]
  /// The book of the agent that runs the call; `nil` in a process of its own.
  private(set) var lent: LentBook?
  /// The book's passphrase, which one command asks for once.
  private(set) var passphraseAsked: AskedOnce

  /// The login page that is open for this call; `nil` for none yet.
  private(set) var loginPage: LoginPage?

  /// The same call on an open login page.
  func on(_ page: LoginPage) -> Call {
    var call = self
    call.loginPage = page
    return call
  }

  /// The same call that reads a passphrase from its file only once: a pipe gives it no second time.
  ///
  /// - Parameter path: The file; `nil` for that of the environment, if it names one.
  /// - Returns: The call.
  func readingPassphraseOnce(_ path: String? = nil) -> Call {
    let name = "GATEBOOK_PASSPHRASE_FILE"
    guard let path = path ?? surroundings[name] else { return self }
    var call = self
    call.surroundings.environment[name] = nil
    call.passphraseAsked = AskedOnce { () throws(GatebookError) in
      try SecretFile.passphrase(path)
    }
    return call
  }

  /// The same call about a copy of another machine's book, to which no key belongs.
  ///
  /// - Parameter path: The copy. Commands that are printed do not name it.
  /// - Returns: The call.
  func reading(copy path: String) -> Call {
    var call = self
    call.lent = nil
    call.globals = globals.reading(copy: path)
    call.arguments.remove(GlobalOptions.bookOption)
    call.arguments.remove(GlobalOptions.keyOption)
    return call
  }

  /// The same call with other arguments; what was asked once is not asked again.
  ///
  /// - Throws: `UsageError` where the options of every command cannot be understood.
  func with(_ arguments: Arguments) throws(UsageError) -> Call {
    var call = self
    call.arguments = arguments
    call.globals = try GlobalOptions(arguments, surroundings)
    return call
  }
}

extension Call {
  /// Writes a text into the file of `-o`, and says what it is; prints it where there is none.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - reader: The book that it is of.
  ///   - sentence: What is said of the file.
  /// - Throws: As ``checkOutput(_:_:isCopy:)``, and what writing the file throws.
  func deliver(_ text: String, of reader: BookReader, _ sentence: String) throws {
    guard let path = OutputFile.path(arguments[OutputFile.option]) else {
      return output.text(text)
    }
    try checkOutput(path, reader)
    try TextFile.write(Array(text.utf8), to: path)
    output.message(Printable.text("\(path): \(sentence)"))
  }

  /// Refuses to write results over the book or its key.
  ///
  /// - Parameters:
  ///   - path: Where results are to be written.
  ///   - reader: The book.
  ///   - isCopy: Whether a copy of the book is written, which may take an older one's place.
  /// - Throws: `UsageError` for a file of the book's own, or another book.
  func checkOutput(
    _ path: String, _ reader: BookReader, isCopy: Bool = false
  ) throws(UsageError) {
    let named = reader.keyDescription.parameters["path"]?.text
    let given: String? = if case .file(let path) = globals.key { path } else { nil }
    let usual = surroundings.keyFolder.map { "\($0)/\(reader.id).key" }
    let book = BookPath.following(globals.book)
    let own =
      ["", "-wal", "-shm", "-lock", "-reserve"].map { book + $0 }
      + [named, given, usual].compactMap(\.self)
    guard !reader.claims(path), own.allSatisfy({ !Files.isSame($0, path) }) else {
      throw UsageError(
        "That file belongs to the book, or is its key. Overwriting it would lose every session.",
        remedy: "Choose another file.")
    }
    guard isCopy || !DatabaseFile.stands(at: path) else {
      throw UsageError(
        "That file is a database, perhaps another book. Gatebook does not overwrite databases.",
        remedy: "Choose another file.")
    }
  }
}
