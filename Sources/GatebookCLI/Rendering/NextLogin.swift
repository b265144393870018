internal import Gatebook

/// How to log in next, as a sentence says it: by the whole command where it is known, else in
/// words.
struct NextLogin {
  /// What the login does.
  enum Deed {
    case logIn
    case logInAgain
    case addAnew
    case answer
    case retry

    /// After a command: what it does.
    var effect: String {
      switch self {
      case .logIn: "logs in"
      case .logInAgain: "logs in again"
      case .addAnew: "adds the account again"
      case .answer: "answers what the server asks for"
      case .retry: "tries again"
      }
    }

    /// Without a command: what the person does.
    var order: String {
      switch self {
      case .logIn: "log in"
      case .logInAgain, .retry: "log in again"
      case .addAnew: "log in to add the account again"
      case .answer: "log in again to answer what the server asks for"
      }
    }
  }

  private let line: LoginLine?
  /// Whether what the last login was asked with is known; a line may still not be made of it.
  private let hasSettings: Bool
  private let lacksKey: Bool
  private let context: SessionContext?
  private let method: String?
  private let granted: [String]
  private let listed: [String]
  private let options: String

  /// Makes it.
  ///
  /// - Parameters:
  ///   - context: The account; `nil` where there is none yet.
  ///   - settings: What its last login was asked with; `nil` where that is not known.
  ///   - method: The method, where there is no account.
  ///   - granted: The scopes that its session has, as far as they are known.
  ///   - listed: The scopes that the server lists, as far as they are known.
  ///   - options: Options of the book that belong to each command, ready to print.
  ///   - lacksKey: Whether the book was opened without its key: then nobody knows the settings.
  init(
    _ context: SessionContext?, _ settings: SavedSettings?, method: String? = nil,
    granted: [String] = [], listed: [String] = [], options: String = "", lacksKey: Bool = false
  ) {
    self.lacksKey = lacksKey
    self.context = context
    self.method = context?.method ?? method
    self.granted = granted
    self.listed = listed
    self.options = options
    hasSettings = settings != nil
    line = settings.flatMap { LoginLine($0) }
  }

  /// Whether there is an account to log in again.
  var hasAccount: Bool { context != nil }

  /// The options that name the account and its book: without them a command would act on another.
  var account: String { (context.map { " \(AccountRendering.option($0))" } ?? "") + options }

  /// Whether the whole command is known.
  var isKnown: Bool { command() != nil }

  /// The whole command: it asks for secrets alone.
  ///
  /// - Parameter more: Options that replace those of the last login.
  /// - Returns: The command; `nil` where the last login cannot be made again.
  func command(_ more: [String] = []) -> String? {
    guard let context, line != nil else { return nil }
    let more = more.map { " \(ShellText.word($0))" }.joined()
    return "gatebook login \(AccountRendering.option(context))\(more)\(options)"
  }

  /// The clause as a sentence of its own.
  func sentence(_ deed: Deed) -> String { clause(deed).asSentence }

  /// The clause for further scopes as a sentence of its own.
  func sentence(askingFor scopes: [String]) -> String { clause(askingFor: scopes).asSentence }

  /// How an account becomes usable again: by its saved credentials, otherwise by a login.
  func sentence(hasSavedLogin: Bool) -> String {
    hasSavedLogin
      ? "`gatebook refresh\(account)` logs in again with the saved credentials."
      : sentence(.logInAgain)
  }

  /// The clause for a login that asks for further scopes.
  ///
  /// - Parameter scopes: Which; none where nobody says them.
  /// - Returns: The clause, without a full stop at its end.
  func clause(askingFor scopes: [String]) -> String {
    if !scopes.isEmpty, let line, let all = line.asking(for: scopes, granted: granted),
      let command = command(GrantRequest.scopes.words(all))
    {
      let hasFormer = !(line.scopes + granted).isEmpty
      return "`\(command)` requests them" + (hasFormer ? " and the earlier scopes" : "")
    }
    if command() != nil {
      guard line?.takesScopes == true else { return clause(.logInAgain) }
      guard let more = self.command(["--scopes", "SCOPE SCOPE"]) else { return clause(.logInAgain) }
      return
        "`\(more)` logs in again; write the required scopes in the place of SCOPE SCOPE\(choice)"
    }
    return clause(.logInAgain, hint: "and list the required scopes") + choice
  }

  /// Whether the scopes are known among which a person can choose.
  var knowsScopes: Bool { !listed.isEmpty }

  /// The scopes that the server lists, and those that the session has; empty if it lists none.
  private var choice: String {
    guard knowsScopes else { return "" }
    let missing = listed.filter { !granted.contains($0) }
    let rest = missing.count - Self.mostScopes
    let has = granted.isEmpty ? "" : "; the session has \(granted.joined(separator: " "))"
    guard !missing.isEmpty else { return "\(has); the server lists no others" }
    return has
      + "; the server \(granted.isEmpty ? "" : "also ")lists \(missing.prefix(Self.mostScopes).joined(separator: " "))"
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// More would not be read.
  private static let mostScopes = 20

  /// A clause that says how to log in.
  ///
  /// - Parameters:
  ///   - deed: What the login does.
  ///   - hint: What the login is to be asked with where its command is not known, such as "with
  ///     `--accept-key K`".
  /// - Returns: The clause, without a full stop at its end.
  func clause(_ deed: Deed, hint: String = "") -> String {
    if let command = command() { return "`\(command)` \(deed.effect)" }
    let hint = hint.isEmpty ? "" : " \(hint)"
    // A stranger's book may name anything as a method.
    let name = method.flatMap { LoginLine.command(of: $0)?.help.name } ?? LoginCommand.help.name
    let unknown =
      switch (context, hasSettings) {
      case (nil, _): ""
      case (_, false) where lacksKey:
        "; without the key the options of the last login cannot be read"
      case (_, false): "; the book does not hold the options of the last login"
      case (_, true):
        "; an app made the last login with settings that no option can express"
      }
    return "\(deed.order)\(hint) (`gatebook help \(name)` lists the options\(unknown))"
  }
}

extension NextLogin {
  /// Reads what an account's last login was asked with, where it can be read.
  init(_ context: SessionContext, in book: SessionBook, options: String = "") async {
    self.init(
      context, try? await book.savedSettings(of: context.account),
      granted: (try? await book.scopes(of: context)) ?? [],
      listed: (try? await book.offers(of: context.account))?.scopes ?? [], options: options)
  }
}

extension Call {
  /// How an account logs in again that has no session to use; `nil` for others, and for one that
  /// was erased.
  func login(of context: SessionContext, in reader: BookReader) -> NextLogin? {
    guard !context.state.isUsable, context.state != .ended(.erased) else { return nil }
    return NextLogin(
      context, try? reader.savedSettings(of: context.account), options: givenPlace,
      lacksKey: !reader.hasKey)
  }
}
