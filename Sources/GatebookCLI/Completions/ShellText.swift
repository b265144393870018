/// What the scripts of several shells write alike.
enum ShellText {
  /// The value of an option.
  enum Value {
    case choices([String])
    case account
    case file
    case text
  }

  /// A text in single quotes, as bash and zsh read it.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A text as one word of a command line that people may run: in single quotes where it needs
  /// them.
  static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
          UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"),
          UInt8(ascii: "+"), UInt8(ascii: ","):
          true
        default: false
        }
      }
    return isPlain ? text : quoted(text)
  }

  /// A text in single quotes, as fish reads it.
  static func fishQuoted(_ text: String) -> String {
    var quoted = "'"
    for character in text {
      if character == "'" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + "'"
  }

  /// A note on one line that is not too long for a list.
  static func short(_ note: String) -> String {
    note.count <= 72 ? note : note.prefix(69) + "..."
  }

  /// The patterns by which a command grows by a word: `' login' | 'login http'`.
  static func steps(_ words: CompletionWords) -> String {
    words.paths.filter { !$0.isEmpty }.map { path in
      let parts = path.split(separator: " ")
      return quoted(parts.dropLast().joined(separator: " ") + " \(parts.last ?? "")")
    }.joined(separator: " | ")
  }

  /// What follows an option, by a pattern of the command and the option: `'login oidc':--flow`.
  static func values(_ words: CompletionWords) -> [(place: String, value: Value)] {
    var values: [(place: String, value: Value)] = []
    func add(_ option: CommandOption, _ path: String) {
      guard option.placeholder != nil, !option.mayLackValue else { return }
      let choices = CompletionWords.choices(option)
      let value: Value =
        if !choices.isEmpty {
          .choices(choices)
        } else if CompletionWords.namesAccount(option) {
          .account
        } else if CompletionWords.namesFile(option) {
          .file
        } else {
          .text
        }
      values.append((place: "\(path):\(option.name)", value: value))
    }
    for command in words.commands {
      for option in command.options { add(option, quoted(command.name)) }
    }
    for option in GlobalOptions.all { add(option, "*") }
    return values
  }
}
