internal import Gatebook

/// What an account's last login was asked with, as words of a command line:
/// `gatebook login --account A` runs them.
///
/// They name neither the account nor a secret.
struct LoginLine: Hashable, Sendable {
  /// The words after `gatebook`, from `login` on.
  let words: [String]

  /// Makes the line; `nil` where an app has set something that no option says.
  ///
  /// - Parameter settings: What the login was asked with.
  init?(_ settings: SavedSettings) {
    guard let command = Self.command(of: settings.method), let own = command.words(settings) else {
      return nil
    }
    words = command.help.words + own + LoginArguments.words(settings.options)
  }

  /// The scopes that it names.
  var scopes: [String] {
    let name = GrantRequest.scopes.name
    guard let place = words.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) else {
      return []
    }
    let text =
      words[place] == name ? words[place + 1] : String(words[place].dropFirst(name.count + 1))
    return text.split(separator: " ").map(String.init)
  }

  /// Whether the command asks for scopes.
  var takesScopes: Bool {
    // Of the modes of `login liferay` those of OAuth 2 do.
    ["oauth2", "oidc"].contains(words[1])
      || zip(words, words.dropFirst()).contains {
        $0 == LiferayMode.choice.name && $1.hasPrefix("oauth2-")
      }
  }

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
    let name = String(method.prefix { $0 != "-" })
    return CommandTable.commands.compactMap { $0 as? any RepeatableLogin.Type }
      .first { $0.help.words.last == name }
  }
}
