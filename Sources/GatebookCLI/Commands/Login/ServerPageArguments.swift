internal import Gatebook
internal import GatebookSystem

/// The options of logins whose person visits a page of the server.
enum ServerPageArguments {
  /// Where the server sends the person back to.
  static let redirect = CommandOption.value(
    "--redirect", "URI",
    "the redirect URI that is registered at the server (default: a free port of 127.0.0.1); Gatebook "
      + "listens on 127.0.0.1 or [::1], `oob` asks for the code, and any other needs `gatebook login "
      + "--callback`",
    kept: "page.redirect")
  /// Whether no browser is started.
  static let noBrowser = CommandOption.flag(
    "--no-browser", "do not start a browser: print `open URL` on standard error and wait",
    kept: "options.notes.no-browser")
  /// How long the person may take.
  static let redirectTimeout = CommandOption.value(
    "--redirect-timeout", "S",
    "how many seconds to wait for the redirect, or for the code of `oob` (600)",
    kept: "page.seconds",
    usual: "600")

  /// All of them, in the order of the help.
  static let all = [redirect, noBrowser, redirectTimeout]

  private static let limits: ClosedRange<Int64> = 1...86_400

  /// Reads how long the person may take.
  static func limit(_ arguments: Arguments) throws(UsageError) -> Duration {
    try arguments.integer(redirectTimeout, in: limits).map { .seconds($0) }
      ?? LoginOptions().redirectLimit
  }

  /// What happens, as a paragraph for the help.
  static let story =
    "You log in on a page of the server, in the browser of $BROWSER or of the desktop. If no browser "
    + "can be started, the line `open URL` says what to open. Do not share that URL: somebody else who "
    + "opens it could log in instead of you."
}

extension ServerPageArguments {
  /// What these options find of themselves.
  static func repeatable(_ settings: SavedSettings) -> Facts {
    // A port that this program chose is free for that login alone.
    let kept = settings.values["redirectURI"]?.text
    let uri =
      settings.options.notes[LoginNotes.name(of: redirect)] ?? kept.flatMap { isOwn($0) ? nil : $0 }
    let seconds = settings.options.redirectLimit.components.seconds
    // An app may wait for a time that the option refuses.
    let isSaid = kept != nil && limits.contains(seconds)
    return ["redirect": .optional(uri), "seconds": isSaid ? .integer(seconds) : nil]
  }

  /// Whether a redirect URI may be one whose port this program chose.
  private static func isOwn(_ uri: String) -> Bool {
    Pattern("^http://127[.]0[.]0[.]1:[0-9]+/callback$").match(in: uri) != nil
  }
}
