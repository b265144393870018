internal import Gatebook
internal import GatebookCurl

/// The options that every command takes, with what the environment says in their stead.
struct GlobalOptions: Sendable {
  static let bookOption = CommandOption.value(
    "--book", "PATH",
    "the book (else $GATEBOOK_BOOK, else $XDG_DATA_HOME/gatebook/sessions.gatebook)")
  static let accountOption = CommandOption.value(
    "--account", "A",
    "the account: its label, id, first characters of its id, or user@host (default: $GATEBOOK_ACCOUNT, "
      + "else the current account); most commands also take it as an argument")
  static let keyOption = CommandOption.value(
    "--key", "automatic|secret-service|file:PATH|passphrase|none",
    "where the master key is (default: $GATEBOOK_KEY, else what the book says). A new book uses the "
      + "desktop keyring if available, else a key file. Gatebook asks for a passphrase, or reads the first "
      + "line of the file in $GATEBOOK_PASSPHRASE_FILE, of mode 0600 or /dev/fd/N",
    suggestions: ["automatic", "secret-service", "passphrase", "none"])
  static let jsonOption = CommandOption.flag(
    "--json", "results as JSON on standard output, errors as JSON on standard error")
  static let quietOption = CommandOption.flag(
    "--quiet", "print only results and errors", short: "-q")
  static let verboseOption = CommandOption.flag(
    "--verbose", "print everything about the account instead of one line",
    short: "-v")
  static let noColorOption = CommandOption.flag("--no-color", "no colors, as with $NO_COLOR")
  static let utcOption = CommandOption.flag("--utc", "times in UTC instead of local time")
  static let waitOption = CommandOption.value(
    "--wait", "S", "how many seconds to wait for a busy book, or for the keyring (10)")
  static let noProxyOption = CommandOption.flag(
    "--no-proxy",
    "connect to servers directly; otherwise http_proxy, https_proxy, all_proxy and no_proxy apply, as "
      + "in curl")
  static let helpOption = CommandOption.flag(
    "--help", "print the help of the command", short: "-h")
  static let versionOption = CommandOption.flag("--version", "print the version")

  /// All of them, in the order of the help.
  static let all = [
    bookOption, accountOption, keyOption, jsonOption, quietOption, verboseOption, noColorOption,
    utcOption,
    waitOption, noProxyOption, helpOption, versionOption,
  ]

  /// The book's path.
  private(set) var book: String
  /// Which account; `nil` for the current one.
  let account: String?
  /// The account of the environment that replaces the current one; `nil` for none.
  ///
  /// Commands that are about all accounts, and those that name one, take no notice of it.
  private(set) var currentAccount: String?
  /// Where the master key is.
  private(set) var key: KeyChoice
  let isQuiet: Bool
  /// Whether times in texts are in UTC.
  let isUTC: Bool
  /// How long to wait for a busy book.
  let wait: Duration
  /// Which proxy requests take.
  let proxy: CurlTransport.Proxy

  /// Takes the options from the command line and, where they are left out, from the environment.
  init(_ arguments: Arguments, _ surroundings: Surroundings) throws(UsageError) {
    let path = arguments[Self.bookOption] ?? surroundings["GATEBOOK_BOOK"]
    guard path?.isEmpty != true else {
      throw UsageError("`--book` is empty.", remedy: "Write `--book PATH`, or leave it out.")
    }
    guard let book = path ?? surroundings.defaultBook else {
      throw UsageError(
        "Gatebook cannot find the book: neither XDG_DATA_HOME nor HOME is set.",
        remedy: "Give `--book PATH` or set GATEBOOK_BOOK.")
    }
    self.book = book
    account = arguments[Self.accountOption]
    currentAccount = surroundings["GATEBOOK_ACCOUNT"]
    key = try KeyChoice(arguments[Self.keyOption] ?? surroundings["GATEBOOK_KEY"] ?? "automatic")
    isQuiet = arguments.has(Self.quietOption)
    isUTC = arguments.has(Self.utcOption)
    wait = try arguments.seconds(Self.waitOption) ?? .seconds(10)
    proxy = arguments.has(Self.noProxyOption) ? .none : .environment
  }
  /// The same for a book that is open already.
  @MainActor func opened(_ lent: LentBook) -> GlobalOptions {
    var options = self
    (options.book, options.key) = (lent.path, lent.key)
    return options
  }

  /// The same for a copy of another machine's book, without a key: the environment's account is one
  /// of this machine.
  func reading(copy path: String) -> GlobalOptions {
    var options = self
    (options.book, options.key, options.currentAccount) = (path, .none, nil)
    return options
  }
}
