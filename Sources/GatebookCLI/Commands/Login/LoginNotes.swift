internal import Gatebook

/// What a login by the command line was asked with and only the command line knows: it is kept among
/// the notes of the account's settings.
enum LoginNotes {
  /// The options that are kept as they were given.
  private static let options = [PageArguments.noBrowser, LoginArguments.timeoutOption]
  /// The options whose values are paths of files.
  private static let files = [ClientArguments.secretFile]

  /// What an option is called there.
  static func name(of option: CommandOption) -> String {
    String(option.name.drop { $0 == "-" })
  }

  /// The notes of a login.
  static func of(_ arguments: Arguments) -> [String: String] {
    var notes: [String: String] = [:]
    for option in options { notes[name(of: option)] = arguments[option] }
    for option in files { notes[name(of: option)] = arguments[option].flatMap(path) }
    // A field that stands on the command line may be a key all the same.
    let field = arguments[LoginFCSDKCommand.header].flatMap {
      $0.hasPrefix("@") ? $0.dropFirst() : nil
    }
    notes[name(of: LoginFCSDKCommand.header)] = field.flatMap { path(String($0)) }
    // Empty for a port that this program has chosen.
    notes[name(of: PageArguments.redirect)] = arguments[PageArguments.redirect] ?? ""
    return notes
  }

  /// The path of a file that is there next time too, from the root; `nil` for what one process hands
  /// to another.
  static func path(_ text: String) -> String? {
    let path = FilePath.whole(text)
    return ["/dev/", "/proc/"].contains(where: path.hasPrefix) ? nil : path
  }
}
