internal import Gatebook

/// The options of logins whose person visits a page of the server.
enum PageArguments {
  /// Where the server sends the person back to.
  static let redirect = CommandOption.value(
    "--redirect", "URI",
    "the redirect URI that the server knows (a free port of 127.0.0.1): one of 127.0.0.1 or [::1] is "
      + "listened on, `oob` asks for the code, any other is brought by `gatebook login --callback`")
  /// Whether no browser is started.
  static let noBrowser = CommandOption.flag(
    "--no-browser", "start no browser: print `open URL` on standard error and wait")

  /// Both.
  static let all = [redirect, noBrowser]

  /// What happens, as a paragraph for the help.
  static let story =
    "The person logs in on a page of the server: in the browser that $BROWSER names, else in the "
    + "desktop's. Where none can be started the line `open URL` says what to open. That URL redeems "
    + "nothing, but is for this person alone: who else visits it could log in in the person's place."
}
