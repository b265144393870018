internal import Gatebook
internal import GatebookSystem

/// Asks for what is never an argument: names and passwords.
struct Answers: Sendable {
  /// Where answers come from.
  enum Source: Hashable, Sendable {
    /// A descriptor with one answer a line, in the order asked.
    case standardInput(Int32)
    /// The terminal; passwords are not shown.
    case terminal
    /// There is nobody.
    case nobody
  }

  /// The option of every command that may ask.
  static let standardInputOption = CommandOption.flag(
    "--password-stdin", "read the answers from standard input, one per line, in the order asked")

  private let source: Source
  private let interruption: Interruption?
  /// Whether the command takes `--password-stdin`.
  private let mayComeByInput: Bool

  init(_ source: Source, interruption: Interruption? = nil, mayComeByInput: Bool = true) {
    self.source = source
    self.interruption = interruption
    self.mayComeByInput = mayComeByInput
  }

  /// The same for answers that come from standard input in any case.
  var fromStandardInput: Answers { Answers(.standardInput(0), interruption: interruption) }

  /// The same for answers that are typed in any case.
  var fromTerminal: Answers {
    Answers(.terminal, interruption: interruption, mayComeByInput: mayComeByInput)
  }

  /// Becomes readable when the run is cancelled; `nil` where nothing cancels it.
  var cancellation: Int32? { interruption?.descriptor }

  /// Whether the answers are typed: then a new passphrase is asked for twice.
  var areTyped: Bool {
    if case .standardInput = source { false } else { true }
  }

  /// Asks for something that is not shown while it is typed.
  ///
  /// - Parameter question: Such as `Password for ada at https://files.example`; the colon is added.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `challenge.unhandled` when there is nobody or nothing to answer,
  ///   `challenge.cancelled` when the person does not want to, `cancelled`.
  func secret(_ question: String) throws(GatebookError) -> Secret {
    Secret(try answer(question, isHidden: true))
  }

  /// Asks for a book's passphrase.
  ///
  /// For a new book it is typed twice: a slip would lock the book for ever.
  ///
  /// - Parameter isNew: Whether the book is made with it.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `key.missing` when there is nobody or nothing to answer: without it there is no key;
  ///   `key.wrong`, `challenge.cancelled`, `cancelled`.
  func passphrase(isNew: Bool) throws(GatebookError) -> Secret {
    try passphrase(Self.passphraseQuestion, isNew: isNew, kept: "No book was made.")
  }

  /// Asks for the passphrase that a book's key moves to; typed twice.
  ///
  /// - Throws: As ``passphrase(isNew:)``.
  func newPassphrase() throws(GatebookError) -> Secret {
    try passphrase("New passphrase of the book", isNew: true, kept: "The key was not moved.")
  }

  private func passphrase(
    _ question: String, isNew: Bool, kept: String
  ) throws(GatebookError) -> Secret {
    let first: Secret
    do throws(InputLine.Failure) {
      first = Secret(try line(question, isHidden: true))
    } catch {
      let reason = reason(error, question)
      guard reason.code == .challengeUnhandled else { throw reason }
      guard error == .empty else {
        throw GatebookError(
          .keyMissing, reason.message, remedy: passphraseRemedy, cause: reason.cause)
      }
      throw GatebookError(
        .keyWrong, "The passphrase is empty.", kept: isNew ? kept : "The book was not changed.",
        remedy: isNew
          ? "Run the command again, with a passphrase of at least one character."
          : "Run the command again, with the book's passphrase.")
    }
    guard isNew, areTyped else { return first }
    let second = try secret("The passphrase again")
    guard first == second else {
      throw GatebookError(
        .keyWrong, "The two passphrases differ.", kept: kept, remedy: "Run the command again.")
    }
    return first
  }

  private static let passphraseQuestion = "Passphrase of the book"

  private var passphraseRemedy: String {
    "Run it on a terminal, or set GATEBOOK_PASSPHRASE_FILE to a file of mode 0600 (or /dev/fd/N) whose "
      + "first line is the passphrase"
      + (mayComeByInput
        ? ", or give `--password-stdin` and the passphrase as the first line." : ".")
  }

  /// Asks for something that anybody may see.
  func text(_ question: String) throws(GatebookError) -> String {
    try answer(question, isHidden: false)
  }

  private func answer(_ question: String, isHidden: Bool) throws(GatebookError) -> String {
    do throws(InputLine.Failure) {
      return try line(question, isHidden: isHidden)
    } catch {
      throw reason(error, question)
    }
  }

  private func line(_ question: String, isHidden: Bool) throws(InputLine.Failure) -> String {
    let interruption = interruption?.descriptor
    let line =
      switch source {
      case .standardInput(let descriptor):
        try InputLine.read(from: descriptor, interruption: interruption)
      case .terminal:
        try Terminal.ask(
          Printable.text(question) + ": ", isHidden: isHidden, interruption: interruption)
      case .nobody: throw .unreadable(.noDevice)
      }
    return try InputLine.text(line)
  }

  private func reason(_ failure: InputLine.Failure, _ question: String) -> GatebookError {
    switch failure {
    case .cancelled:
      return GatebookError(.cancelled, "Cancelled.", remedy: "Run the command again when you like.")
    case .tooLong:
      return refusal("The answer to “\(question)” is longer than \(InputLine.limit) bytes.")
    case .empty: return refusal("The answer to “\(question)” is empty.")
    case .hasNUL: return refusal("The answer to “\(question)” contains a NUL character.")
    case .notText: return refusal("The answer to “\(question)” is not UTF-8.")
    case .ended where areTyped:
      return GatebookError(
        .challengeCancelled, "No answer was given to “\(question)”.",
        remedy: "Run the command again when you like.")
    case .ended:
      return refusal("Standard input ended before the answer to “\(question)”.")
    case .unreadable(let error):
      let place = areTyped ? "There is no terminal to ask on" : "Standard input cannot be read"
      return GatebookError(
        .challengeUnhandled, "\(place): Gatebook could not ask for “\(question)”.",
        remedy:
          "Run it on a terminal, or give `--password-stdin` and the answers on standard input, one per "
          + "line.",
        cause: error.text)
    }
  }

  private func refusal(_ message: String) -> GatebookError {
    GatebookError(
      .challengeUnhandled, message,
      remedy: areTyped
        ? "Run the command again."
        : "Give one answer per line, in the order asked, then run the command again.")
  }
}

/// An answer that is needed more than once and asked for once.
struct AskedOnce: Sendable {
  private let known = Locked<Secret?>(nil)
  /// Asks.
  let ask: @Sendable () throws(GatebookError) -> Secret

  /// The answer that was given; `nil` where nobody was asked.
  var given: Secret? { known.withLock { $0 } }

  /// Forgets the answer: who needs it next asks again.
  func forget() { known.withLock { $0 = nil } }

  /// The answer; a question that failed is asked again.
  func answer() throws(GatebookError) -> Secret {
    try known.withLock { (known) throws(GatebookError) in
      if let known { return known }
      let answer = try ask()
      known = answer
      return answer
    }
  }
}
