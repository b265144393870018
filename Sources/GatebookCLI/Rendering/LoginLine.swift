internal import Gatebook

/// The command line that makes an account's last login once more: the one place that turns what a
/// login was asked with into arguments.
///
/// `--account` names the person, and secrets are asked for.
struct LoginLine: Hashable, Sendable {
  /// The words after `gatebook`, from `login` on.
  private(set) var words: [String]

  /// Makes the line; `nil` where an app has set something that no option says, and where a URL has a query:
  /// that may be a key.
  ///
  /// - Parameter settings: What the login was asked with.
  init?(_ settings: SavedSettings) {
    guard let command = Self.command(of: settings.method), let own = command.words(settings) else {
      return nil
    }
    words = command.help.words + own + LoginArguments.words(settings.options)
    // What is not printed as it is cannot be pasted either.
    guard words.allSatisfy({ Printable.text($0) == $0 && !Self.hasQuery($0) }) else { return nil }
  }

  private static func hasQuery(_ word: String) -> Bool {
    word.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:\/[^?#\s]*\?[^#]/)
  }

  /// The whole command for a shell.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - options: Further options, such as of the book, as they stand.
  ///   - more: What this login is to be asked with besides.
  /// - Returns: One line, ready to be pasted.
  func text(of context: SessionContext, _ options: String = "", more: [String] = []) -> String {
    let line = (["gatebook"] + words + more).map(ShellText.word).joined(separator: " ")
    return "\(line) \(AccountRendering.option(context))\(options)"
  }

  /// The scopes that it names.
  var scopes: [String] {
    guard let place = scopesPlace else { return [] }
    let name = GrantRequest.scopes.name
    let text =
      words[place] == name ? words[place + 1] : String(words[place].dropFirst(name.count + 1))
    return text.split(separator: " ").map(String.init)
  }

  /// Whether the command asks for scopes.
  var takesScopes: Bool {
    // Of the modes of `login liferay` those of OAuth 2 do.
    scopesPlace != nil || ["oauth2", "oidc"].contains(words[1])
      || zip(words, words.dropFirst()).contains {
        $0 == LiferayMode.choice.name && $1.hasPrefix("oauth2-")
      }
  }

  /// Where the option for scopes stands; its value stands behind it, or is joined to it.
  private var scopesPlace: Int? {
    let name = GrantRequest.scopes.name
    return words.firstIndex { $0 == name || $0.hasPrefix("\(name)=") }
  }

  /// The line with further scopes.
  ///
  /// - Parameters:
  ///   - scopes: What is to be asked for besides.
  ///   - granted: What is asked for with them where the line names none: what the server gave by itself.
  /// - Returns: The line; `nil` where the command asks for no scopes.
  func asking(for scopes: [String], granted: [String] = []) -> LoginLine? {
    let former = self.scopes.isEmpty ? granted : self.scopes
    let wanted = scopes.filter { !$0.isEmpty && !former.contains($0) }
    let all = (former + wanted).joined(separator: " ")
    guard takesScopes, Printable.text(all) == all else { return nil }
    var line = self
    if let place = scopesPlace {
      let isJoined = words[place] != GrantRequest.scopes.name
      line.words.replaceSubrange(
        place...(isJoined ? place : place + 1), with: GrantRequest.scopes.words(all))
    } else {
      line.words += GrantRequest.scopes.words(all)
    }
    return line
  }

  /// The command that logs in by a method.
  static func command(of method: String) -> (any RepeatableLogin.Type)? {
    let name = String(method.prefix { $0 != "-" })
    return CommandTable.commands.compactMap { $0 as? any RepeatableLogin.Type }
      .first { $0.help.words.last == name }
  }
}
