internal import Gatebook

/// A login command that can be written down again from what a login was asked with.
///
/// Its options say under which names they are kept.
protocol RepeatableLogin: Command {
  /// What the options find of themselves: the settings, those in other words that an option says in
  /// its own.
  ///
  /// - Parameter settings: What the login was asked with, of one of this command's methods.
  /// - Returns: Facts by the names of the options; `nil` where an app has set something that no
  ///   option says.
  static func repeatable(_ settings: SavedSettings) -> Facts?
}

extension RepeatableLogin {
  static func repeatable(_ settings: SavedSettings) -> Facts? { settings.values }
}

/// What an account's last login was asked with, as words of a command line:
/// `gatebook login --account A` runs them.
///
/// They name neither the account nor a secret.
struct LoginLine: Hashable, Sendable {
  /// The words after `gatebook`, from `login` on.
  let words: [String]
  /// The scopes that it names; `nil` where the command asks for none.
  private let namedScopes: [String]?

  /// Makes the line; `nil` where an app has set something that no option says.
  ///
  /// - Parameter settings: What the login was asked with.
  init?(_ settings: SavedSettings) {
    guard let command = Self.command(of: settings.method),
      var facts = command.repeatable(settings)
    else { return nil }
    facts["options"] = .object(LoginArguments.repeatable(settings.options))
    facts["page"] = .object(ServerPageArguments.repeatable(settings))
    var words = command.help.words
    let options = command.help.options
    let opensPage = options.contains(ServerPageArguments.redirect)
    for option in options where opensPage || option != ServerPageArguments.noBrowser {
      guard let own = option.words(among: facts) else { return nil }
      words += own
    }
    self.words = words
    namedScopes = facts["scopes"].map { kept in
      (kept.list ?? [kept]).compactMap(\.text).flatMap { $0.split(separator: " ").map(String.init) }
    }
  }

  /// The scopes that it names.
  var scopes: [String] { namedScopes ?? [] }

  /// Whether the command asks for scopes.
  var takesScopes: Bool { namedScopes != nil }

  /// The scopes to ask for where further ones are needed.
  ///
  /// - Parameters:
  ///   - scopes: What is to be asked for besides.
  ///   - granted: What is asked for with them where the line names none: what the server gave
  ///     without being asked.
  /// - Returns: The scopes, separated by blanks; `nil` where the command asks for none.
  func asking(for scopes: [String], granted: [String] = []) -> String? {
    let former = self.scopes.isEmpty ? granted : self.scopes
    let wanted = scopes.filter { !$0.isEmpty && !former.contains($0) }
    let all = (former + wanted).joined(separator: " ")
    // What is not printed as it is cannot be pasted either.
    guard takesScopes, Printable.text(all) == all else { return nil }
    return all
  }

  /// The command that logs in by a method.
  static func command(of method: String) -> (any RepeatableLogin.Type)? {
    let name = Person.family(of: method)
    return CommandTable.commands.compactMap { $0 as? any RepeatableLogin.Type }
      .first { $0.help.words.last == name }
  }
}

extension CommandOption {
  /// The option as words of a command line that asks for the same again.
  ///
  /// - Parameter facts: What a login was asked with.
  /// - Returns: The words, none where it was not given or need not be; `nil` for a value that the
  ///   option does not take.
  func words(among facts: Facts) -> [String]? {
    guard let kept else { return [] }
    let names = kept.split(separator: ".").map(String.init)
    switch names.reduce(.object(facts) as FactValue?, { $0?.object?[$1] }) {
    case .bool(let isGiven): return isGiven ? [name] : []
    case .integer(let number): return words(unlessUsual: String(number))
    case .text(let text): return placeholder == nil ? [name] : words(unlessUsual: text)
    case .list(let values) where isRepeatable: return values.compactMap(\.text).flatMap(words)
    case .list(let values):
      return words(unlessUsual: values.compactMap(\.text).joined(separator: " "))
    case nil, .null, .object: return []
    }
  }

  private func words(unlessUsual text: String) -> [String]? {
    guard !text.isEmpty else { return [] }
    guard choices.isEmpty else {
      // A library's name of a choice has capitals or other dashes.
      let letters = { (name: String) in name.lowercased().filter { $0 != "-" } }
      guard let choice = choices.first(where: { letters($0) == letters(text) }) else { return nil }
      return choice == usual ? [] : words(choice)
    }
    return text == usual ? [] : words(text)
  }
}

extension Facts {
  /// Whether what is usual is not otherwise here; what is not here is usual.
  func agrees(with usual: Facts) -> Bool {
    usual.names.allSatisfy { self[$0] == nil || self[$0] == usual[$0] }
  }
}
