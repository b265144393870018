internal import Gatebook
internal import GatebookSystem

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

    /// A setting, by the library's names, and the option of a login that sets it.
    static func setting(_ names: Set<String>, _ option: String, _ atLogin: String) -> Entry {
      Entry(code: .configurationInvalid, settings: names, option: option, atLogin: atLogin)
    }
  }

  private static let entries: [Entry] = [
    Entry(
      code: .loginCleartext, option: "--allow-cleartext",
      atLogin: "`--allow-cleartext` allows it."),
    Entry(
      code: .originForeign, option: "--allow-origin",
      atLogin: "`--allow-origin URL` allows this server too.",
      afterwards:
        "To send this account's credentials there, log in again with `--allow-origin URL`."),
    .setting(["path"], "--path", "`--path P` sets the path of the login."),
    .setting(["checkURL"], "--check", "This is the URL of `--check`."),
    .setting(["url", "loginURL"], "--url", "This is the URL of `--url`."),
    .setting(
      ["tokenURL"], "--request-url", "This is the URL of `--request-url` or `--access-url`."),
    .setting(["issuer"], "--issuer", "`--issuer` sets the issuer."),
    .setting(["user"], "--user", "`--user U` sets it."),
    Entry(
      code: .loginUnprovable, settings: ["user"], option: "--user",
      atLogin:
        "Give the account's name with `--user U`, and a URL that proves the login with `--check URL`."
    ),
    .setting(
      ["token endpoint", "token_endpoint"], "--token-url", "`--token-url` sets the token endpoint."),
    .setting(
      ["authorization_endpoint"], "--authorize-url",
      "`--authorize-url` sets the authorization endpoint."),
    .setting(
      ["device authorization endpoint", "device_authorization_endpoint"], "--device-url",
      "`--device-url` sets the device authorization endpoint."),
    .setting(
      ["introspection endpoint", "introspection_endpoint"], "--introspect-url",
      "`--introspect-url` sets the introspection endpoint."),
    .setting(
      ["pushed authorization endpoint", "pushed_authorization_request_endpoint"], "--par-url",
      "`--par-url` sets the pushed authorization request endpoint."),
    .setting(["jwks_uri"], "--jwks-url", "`--jwks-url` sets the URL of the server's keys."),
    .setting(
      ["authentication"], "--client-auth",
      "`--client-auth` sets how the client authenticates (`raw-basic` for a server that does not "
        + "decode it). `--client-secret-file FILE` gives its secret."),
    // Where the command finds out how to log in, and has no other option for the client.
    .setting(
      ["authentication"], "--client-secret-file",
      "`--client-secret-file FILE` gives the client's secret."),
    .setting(
      ["assertion audience"], "--assertion-audience",
      "`--assertion-audience` sets the audience of assertions: the issuer, or `endpoint`."),
    .setting(
      ["tokenAlgorithms"], "--id-token-alg",
      "`--id-token-alg ALG` allows one, and can be given several times."),
    .setting(["PKCE"], "--trust-s256", "If the server accepts it, use `--trust-s256`."),
    .setting(["replacing"], "--force", "`--force` replaces it."),
    .setting(["label"], "--label", sameLabel),
    // Where a login ends that was begun elsewhere.
    .setting(["label"], "--callback", sameLabel),
    .setting(
      ["server", "token endpoint"], "--server",
      "`--server` sets the server's URL, including its path."),
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
    let named = Pattern("`(--|gatebook refresh --again)")
    guard named.match(in: error.remedy) == nil else { return nil }
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
