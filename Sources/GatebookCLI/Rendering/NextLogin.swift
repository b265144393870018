internal import Gatebook

/// How to log in next, as a sentence says it: by the whole command where it is known, else in words.
struct NextLogin {
  /// What the login does.
  enum Deed {
    case logIn
    case logInAgain
    case addAnew
    case answer
    case retry

    /// Behind a command: what it does.
    var effect: String {
      switch self {
      case .logIn: "logs in"
      case .logInAgain: "logs in again"
      case .addAnew: "adds the account again"
      case .answer: "answers what the server asks for"
      case .retry: "tries it again"
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
  private let context: SessionContext?
  private let method: String?
  private let granted: [String]
  private let options: String

  /// Makes it.
  ///
  /// - Parameters:
  ///   - context: The account; `nil` where there is none yet.
  ///   - settings: What its last login was asked with; `nil` where that is not known.
  ///   - method: The method, where there is no account.
  ///   - granted: The scopes that its session has, as far as they are known.
  ///   - options: Options of the book that belong to each command, as they stand.
  init(
    _ context: SessionContext?, _ settings: SavedSettings?, method: String? = nil,
    granted: [String] = [], options: String = ""
  ) {
    self.context = context
    self.method = context?.method ?? method
    self.granted = granted
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

  /// The whole command.
  ///
  /// - Parameter more: What this login is to be asked with besides.
  /// - Returns: The command; `nil` where it is not known.
  func command(_ more: [String] = []) -> String? {
    guard let context, let line else { return nil }
    return line.text(of: context, options, more: more)
  }

  /// The clause as a sentence of its own.
  func sentence(_ deed: Deed) -> String { Self.sentence(clause(deed)) }

  /// The clause for further scopes as a sentence of its own.
  func sentence(askingFor scopes: [String]) -> String { Self.sentence(clause(askingFor: scopes)) }

  /// How an account becomes usable again: by its saved credentials, otherwise by a login.
  func sentence(hasSavedLogin: Bool) -> String {
    hasSavedLogin
      ? "`gatebook refresh\(account)` logs it in again with its saved credentials."
      : sentence(.logInAgain)
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  /// The clause for a login that asks for further scopes.
  ///
  /// - Parameter scopes: Which; none where nobody says them.
  /// - Returns: The clause, without a full stop at its end.
  func clause(askingFor scopes: [String]) -> String {
    if !scopes.isEmpty, let context, let line,
      let further = line.asking(for: scopes, granted: granted)
    {
      let hasFormer = !(line.scopes + granted).isEmpty
      return "`\(further.text(of: context, options))` asks for them"
        + (hasFormer ? " and for the former ones" : "")
    }
    if let command = command() {
      guard line?.takesScopes == true else { return clause(.logInAgain) }
      return "`\(command)` logs in again; add the scopes that are needed to `--scopes`"
    }
    return clause(.logInAgain, hint: "and name the scopes that are needed")
  }

  /// A clause that says how to log in.
  ///
  /// - Parameters:
  ///   - deed: What the login does.
  ///   - more: What it is to be asked with besides.
  ///   - hint: The same where there is no command to add it to, such as "with the option `--label`".
  /// - Returns: The clause, without a full stop at its end.
  func clause(_ deed: Deed, more: [String] = [], hint: String = "") -> String {
    if let command = command(more) { return "`\(command)` \(deed.effect)" }
    let hint = hint.isEmpty ? "" : " \(hint)"
    // A stranger's book may name anything as a method.
    let name = method.flatMap { LoginLine.command(of: $0)?.help.name } ?? LoginCommand.help.name
    let unknown =
      switch (context, hasSettings) {
      case (nil, _): ""
      case (_, false): "; the book does not hold those of the last login"
      case (_, true):
        "; those of the last login are not printed, because an app set them or an address among them may "
          + "hold a key"
      }
    return "\(deed.order)\(hint) (`gatebook help \(name)` lists the options\(unknown))"
  }
}

extension NextLogin {
  /// Reads what an account's last login was asked with, where it can be read.
  init(_ context: SessionContext, in book: SessionBook, options: String = "") async {
    self.init(
      context, try? await book.savedSettings(of: context.account),
      granted: (try? await book.scopes(of: context)) ?? [], options: options)
  }
}

extension Call {
  /// How an account logs in again that has no session to use; `nil` for others, and for one that was
  /// erased.
  func login(of context: SessionContext, in reader: BookReader) -> NextLogin? {
    guard !context.state.isUsable, context.state != .ended(.erased) else { return nil }
    return NextLogin(
      context, try? reader.savedSettings(of: context.account), options: givenPlace)
  }
}
