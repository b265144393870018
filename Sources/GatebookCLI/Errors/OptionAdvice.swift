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
    /// The advice for a login.
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
      atLogin: "`--allow-origin URL` allows this server too.",
      afterwards:
        "To send this account's credentials there, log in again with `--allow-origin URL`."),
    Entry(
      code: .configurationInvalid, settings: ["path"], option: "--path",
      atLogin: "`--path P` sets the path of the login."),
    Entry(
      code: .configurationInvalid, settings: ["checkURL"], option: "--check",
      atLogin: "This is the URL of `--check`."),
    Entry(
      code: .configurationInvalid, settings: ["url", "loginURL"], option: "--url",
      atLogin: "This is the URL of `--url`."),
    Entry(
      code: .configurationInvalid, settings: ["tokenURL"], option: "--request-url",
      atLogin: "This is the URL of `--request-url` or `--access-url`."),
    Entry(
      code: .configurationInvalid, settings: ["issuer"], option: "--issuer",
      atLogin: "`--issuer` sets the issuer."),
    Entry(
      code: .configurationInvalid, settings: ["user"], option: "--user",
      atLogin: "`--user U` sets it."),
    Entry(
      code: .loginUnprovable, settings: ["user"], option: "--user",
      atLogin:
        "Give the account's name with `--user U`, and a URL that proves the login with `--check URL`."
    ),
    Entry(
      code: .configurationInvalid, settings: ["token endpoint", "token_endpoint"],
      option: "--token-url",
      atLogin: "`--token-url` sets the token endpoint."),
    Entry(
      code: .configurationInvalid, settings: ["authorization_endpoint"], option: "--authorize-url",
      atLogin: "`--authorize-url` sets the authorization endpoint."),
    Entry(
      code: .configurationInvalid,
      settings: ["device authorization endpoint", "device_authorization_endpoint"],
      option: "--device-url", atLogin: "`--device-url` sets the device authorization endpoint."),
    Entry(
      code: .configurationInvalid, settings: ["introspection endpoint", "introspection_endpoint"],
      option: "--introspect-url", atLogin: "`--introspect-url` sets the introspection endpoint."),
    Entry(
      code: .configurationInvalid,
      settings: ["pushed authorization endpoint", "pushed_authorization_request_endpoint"],
      option: "--par-url", atLogin: "`--par-url` sets the pushed authorization request endpoint."),
    Entry(
      code: .configurationInvalid, settings: ["jwks_uri"], option: "--jwks-url",
      atLogin: "`--jwks-url` sets the URL of the server's keys."),
    Entry(
      code: .configurationInvalid, settings: ["authentication"], option: "--client-auth",
      atLogin:
        "`--client-auth` sets how the client authenticates (`raw-basic` for a server that does not "
        + "decode it). `--client-secret-file FILE` gives its secret."),
    Entry(
      code: .configurationInvalid, settings: ["assertion audience"], option: "--assertion-audience",
      atLogin: "`--assertion-audience` sets the audience of assertions: the issuer, or `endpoint`."),
    Entry(
      code: .configurationInvalid, settings: ["tokenAlgorithms"], option: "--id-token-alg",
      atLogin: "`--id-token-alg ALG` allows one, and can be given several times."),
    Entry(
      code: .configurationInvalid, settings: ["PKCE"], option: "--trust-s256",
      atLogin: "If the server accepts it, use `--trust-s256`."),
    Entry(
      code: .configurationInvalid, settings: ["replacing"], option: "--force",
      atLogin: "`--force` replaces it."),
    Entry(code: .configurationInvalid, settings: ["label"], option: "--label", atLogin: sameLabel),
    // Where a login ends that was begun elsewhere.
    Entry(
      code: .configurationInvalid, settings: ["label"], option: "--callback", atLogin: sameLabel),
    Entry(
      code: .configurationInvalid, settings: ["server", "token endpoint"], option: "--server",
      atLogin: "`--server` sets the server's URL, including its path."),
    Entry(
      code: .configurationInvalid, statuses: [400], option: "--app",
      atLogin: "`--check NAME` and `--app ID` must be spelled exactly as at the server."),
    Entry(
      code: .loginUnprovable, option: "--check",
      atLogin: "`--check` sets the URL that proves the login."),
    Entry(
      code: .loginUnprovable, option: "--url",
      atLogin: "`--url` sets the URL that proves the login."),
    Entry(
      code: .scopeMissing, option: "--scopes", atLogin: "`--scopes S` sets the scopes to request.",
      afterwards: "At a login, `--scopes S` sets the scopes to request."),
    Entry(
      code: .outcomeUnknown, afterwards: "`gatebook refresh --again` tries once more."),
    Entry(
      code: .tlsUntrusted, option: "--ca-file",
      atLogin:
        "`--ca-file FILE` trusts the authority that signed the server's certificate; `--client-cert "
        + "FILE` gives a client certificate.",
      afterwards: "Log in again with `--ca-file FILE` or `--client-cert FILE`."),
    Entry(
      code: .challengeTimedOut, settings: ["redirectLimit"], option: "--redirect-timeout",
      atLogin: "`--redirect-timeout S` waits longer."),
    Entry(
      code: .storageNone, option: "--book",
      atLogin:
        "`gatebook login` creates the book and asks how to log in. `--book PATH` reads another book."
    ),
    Entry(
      code: .storageBusy, settings: ["wait"], option: "--wait", atLogin: "`--wait S` waits longer."),
  ]

  private static let sameLabel =
    "To log in again with the account that has this label, use `--account NAME`."

  /// The names of the options that are advised.
  static var options: [String] { entries.compactMap(\.option) }

  /// A sentence with the option that helps; `nil` when none does, or the error names one already.
  ///
  /// - Parameters:
  ///   - error: What happened.
  ///   - command: The command it happened to.
  /// - Returns: The sentence that follows the error's own remedy.
  static func sentence(for error: GatebookError, of command: Help) -> String? {
    guard !error.remedy.contains(/`(--|gatebook refresh --again)/) else { return nil }
    let names = (GlobalOptions.all + command.known).map(\.name)
    let fitting = entries.filter { entry in
      entry.code == error.code
        && (entry.statuses.isEmpty || error.status.map(entry.statuses.contains) == true)
        && (error.setting.map(entry.settings.contains) ?? entry.settings.isEmpty)
    }
    if let own = fitting.first(where: { $0.option.map(names.contains) == true }) {
      // The right value is known: it can be typed as it is printed here.
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
