internal import Gatebook

/// Which options help against a failure: the library knows none, and names none.
enum OptionAdvice {
  /// One failure and the options that help against it.
  private struct Entry {
    let code: FailureCode
    /// The statuses that it stands for; empty for any, and none.
    var statuses: Set<Int> = []
    /// The library's names of the settings that it stands for; empty for errors that name none.
    var settings: Set<String> = []
    /// The option that a login has; `nil` where none helps, but another command.
    var option: String?
    /// What is said to whoever logs in.
    var atLogin = ""
    /// What is said to others; `nil` where a new login would not help.
    var afterwards: String?
  }

  private static let entries = [
    Entry(
      code: .loginCleartext, option: "--allow-cleartext",
      atLogin: "`--allow-cleartext` allows it."),
    Entry(
      code: .originForeign, option: "--allow-origin",
      atLogin: "`--allow-origin URL` allows that server too.",
      afterwards: "A new login's option for that is `--allow-origin URL`."),
    Entry(
      code: .configurationInvalid, settings: ["path"], option: "--path",
      atLogin: "`--path P` says where the login is."),
    Entry(
      code: .configurationInvalid, settings: ["checkURL"], option: "--check",
      atLogin: "It is the one of `--check`."),
    Entry(
      code: .configurationInvalid, settings: ["url", "loginURL"], option: "--url",
      atLogin: "It is the one of `--url`."),
    Entry(
      code: .configurationInvalid, settings: ["tokenURL"], option: "--request-url",
      atLogin: "It is the one of `--request-url` or `--access-url`."),
    Entry(
      code: .configurationInvalid, settings: ["issuer"], option: "--issuer",
      atLogin: "`--issuer` says where the server is."),
    Entry(
      code: .configurationInvalid, settings: ["user"], option: "--user",
      atLogin: "`--user U` gives it."),
    Entry(
      code: .loginUnprovable, settings: ["user"], option: "--user",
      atLogin: "`--user U` names the account, `--check URL` what proves the login."),
    Entry(
      code: .contentUnexpected, settings: ["trustedAudiences"], option: "--trust-audience",
      atLogin: "`--trust-audience AUD` adds one; it may be given again."),
    Entry(
      code: .configurationInvalid, settings: ["token endpoint", "token_endpoint"],
      option: "--token-url",
      atLogin: "`--token-url` says where tokens are given."),
    Entry(
      code: .configurationInvalid, settings: ["authorization_endpoint"], option: "--authorize-url",
      atLogin: "`--authorize-url` says where the page of the login is."),
    Entry(
      code: .configurationInvalid,
      settings: ["device authorisation endpoint", "device_authorization_endpoint"],
      option: "--device-url", atLogin: "`--device-url` says where codes for devices are given."),
    Entry(
      code: .configurationInvalid, settings: ["introspection endpoint", "introspection_endpoint"],
      option: "--introspect-url", atLogin: "`--introspect-url` says where tokens are asked about."),
    Entry(
      code: .configurationInvalid,
      settings: ["pushed authorisation endpoint", "pushed_authorization_request_endpoint"],
      option: "--par-url", atLogin: "`--par-url` says where requests are left."),
    Entry(
      code: .configurationInvalid, settings: ["jwks_uri"], option: "--jwks-url",
      atLogin: "`--jwks-url` says where the server's keys are."),
    Entry(
      code: .configurationInvalid, settings: ["authentication"], option: "--client-auth",
      atLogin:
        "`--client-auth` says how the client shows who it is (`raw-basic` to a server that does not "
        + "decode it), `--client-secret-file F` where its secret is."),
    Entry(
      code: .configurationInvalid, settings: ["assertion audience"], option: "--assertion-audience",
      atLogin: "`--assertion-audience` says what assertions are for: the issuer, or `endpoint`."),
    Entry(
      code: .configurationInvalid, settings: ["tokenAlgorithms"], option: "--id-token-alg",
      atLogin: "`--id-token-alg ALG` allows one; it may be given again."),
    Entry(
      code: .configurationInvalid, settings: ["PKCE"], option: "--trust-s256",
      atLogin: "`--trust-s256` says that it does."),
    Entry(
      code: .configurationInvalid, settings: ["bindsTokens"],
      afterwards: "`gatebook request` does that."),
    Entry(
      code: .configurationInvalid, settings: ["replacing"], option: "--force",
      atLogin: "`--force` replaces it."),
    Entry(code: .configurationInvalid, settings: ["label"], option: "--label", atLogin: sameLabel),
    // Where a login ends that was begun elsewhere.
    Entry(
      code: .configurationInvalid, settings: ["label"], option: "--callback", atLogin: sameLabel),
    Entry(
      code: .configurationInvalid, settings: ["server", "token endpoint"], option: "--server",
      atLogin: "`--server` says where the server is, with its path if it has one."),
    Entry(
      code: .configurationInvalid, statuses: [400], option: "--app",
      atLogin: "`--check NAME` and `--app ID` must be spelt as the server knows them."),
    Entry(
      code: .loginUnprovable, option: "--check",
      atLogin: "`--check` names what proves the login."),
    Entry(code: .loginUnprovable, option: "--url", atLogin: "`--url` names what proves the login."),
    Entry(
      code: .scopeMissing, option: "--scopes", atLogin: "`--scopes S` says what to ask for.",
      afterwards: "At a login `--scopes S` says what to ask for."),
    Entry(
      code: .outcomeUnknown, afterwards: "One more try: `gatebook refresh --again` insists on it."),
    Entry(
      code: .tlsUntrusted, option: "--ca-file",
      atLogin: "`--ca-file F` names the authority that signed it, `--client-cert F` what to show.",
      afterwards: "Log in again with `--ca-file F` or `--client-cert F`."),
    Entry(
      code: .challengeTimedOut, settings: ["redirectLimit"], option: "--redirect-timeout",
      atLogin: "`--redirect-timeout S` waits longer."),
    Entry(
      code: .storageNone, option: "--book",
      atLogin: "`gatebook login` asks how to log in; `--book PATH` names another book."),
    Entry(
      code: .storageBusy, settings: ["wait"], option: "--wait", atLogin: "`--wait S` waits longer."),
  ]

  private static let sameLabel =
    "To log in the account that has it, name that one: `--account NAME`."

  /// The names of the options that are advised.
  static var options: [String] { entries.compactMap(\.option) }

  /// A sentence with the option that helps; `nil` when none does, or the error names one already.
  ///
  /// - Parameters:
  ///   - error: What happened.
  ///   - command: The command it happened to.
  /// - Returns: The sentence, to stand behind the error's own remedy.
  static func sentence(for error: GatebookError, of command: Help) -> String? {
    guard !error.remedy.contains("`--") else { return nil }
    let names = (GlobalOptions.all + command.options).map(\.name)
    let fitting = entries.filter { entry in
      entry.code == error.code
        && (entry.statuses.isEmpty || error.status.map(entry.statuses.contains) == true)
        && (error.setting.map(entry.settings.contains) ?? entry.settings.isEmpty)
    }
    if let own = fitting.first(where: { $0.option.map(names.contains) == true }) {
      // What fits is known: it can be typed as it stands here.
      if let value = error.fittingValue, let option = own.option {
        return "Type `\(option) \(value)`."
      }
      return own.atLogin
    }
    // What another command does helps the use of a session, and no login.
    return fitting.filter { $0.option != nil || command.group == .use }
      .lazy.compactMap(\.afterwards).first
  }
}
