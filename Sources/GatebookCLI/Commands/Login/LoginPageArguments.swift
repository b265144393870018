internal import Gatebook
internal import GatebookLoginPage
internal import GatebookSystem

/// The options of logins whose credentials are typed on Gatebook's own page.
enum LoginPageArguments {
  /// Whether there is one.
  static let page = CommandOption.flag(
    "--page", "type the credentials on a page of this machine, which opens in your browser")
  private static let theme = CommandOption.value(
    "--theme", "T", "how that page looks: `default`, `flat7`, or the folder of a theme (default)",
    suggestions: LoginTheme.all.map(\.name))
  private static let time = CommandOption.value(
    "--page-timeout", "S", "how many seconds that page works (600)")

  /// All of them, in the order of the help.
  static let all = [page, theme, time]

  /// Starts a page.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - hear: Hears what the person is to be told.
  /// - Returns: The page.
  /// - Throws: `UsageError` for a number that does not fit; `configuration.invalid` for a folder
  ///   that is no theme.
  static func open(
    _ arguments: Arguments, hear: @escaping @Sendable (LoginPageNews) async -> Void
  ) throws -> LoginPage {
    let seconds = try arguments.integer(time, in: 1...86_400) ?? 600
    return try LoginPage(theme: try theme(arguments), limit: .seconds(seconds), hear: hear)
  }

  private static func theme(_ arguments: Arguments) throws(GatebookError) -> LoginTheme {
    guard let text = arguments[theme] else { return .default }
    if let known = LoginTheme.all.first(where: { $0.name == text }) { return known }
    return try LoginTheme(folder: text)
  }

  /// The rules of a command's options: Gatebook's page is opened in a browser too.
  static func fitting<Choice>(
    _ rules: [(option: CommandOption, choices: [Choice])], _ arguments: Arguments
  ) -> [(option: CommandOption, choices: [Choice])] {
    arguments.has(page) ? rules.filter { $0.option != ServerPageArguments.noBrowser } : rules
  }

  /// Refuses options that do not go together.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - opensPage: Whether the login opens a page of the server.
  /// - Throws: `UsageError`.
  static func check(_ arguments: Arguments, opensPage: Bool = false) throws {
    guard arguments.has(page) else {
      for option in [theme, time] + (opensPage ? [] : [ServerPageArguments.noBrowser])
      where arguments.has(option) {
        throw UsageError(
          "`\(option.name)` has no effect without `\(page.name)`.", remedy: "Add `\(page.name)`.")
      }
      return
    }
    // Before a book is made for a login that cannot begin.
    _ = try theme(arguments)
    guard !arguments.has(Answers.standardInputOption) else {
      throw UsageError(
        "`\(page.name)` and `\(Answers.standardInputOption.name)` cannot be combined.",
        remedy: "Give only one of them.")
    }
  }

  /// The refusal of `--page` by a login that asks for no password.
  static func useless(_ server: Origin) -> UsageError {
    UsageError(
      "This login asks for no password here, so `\(page.name)` has no effect: \(server) shows a page of its "
        + "own, or the application itself logs in.",
      remedy: "Leave out `\(page.name)`, or log in with `--flow password` if the server takes it.")
  }
}
