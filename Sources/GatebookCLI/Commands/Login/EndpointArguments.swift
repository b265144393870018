internal import Gatebook

/// The options that say where a server of OAuth 2 has what, shared by `login oidc` and
/// `login oauth2`.
///
/// What is given here wins over what a server says of itself.
enum EndpointArguments {
  /// Where tokens come from.
  static let token = CommandOption.value("--token-url", "U", "the token endpoint")
  /// The page of the login.
  static let authorize = CommandOption.value(
    "--authorize-url", "U", "the authorization endpoint: the login page (`--flow code`)")
  /// Where codes for another device come from.
  static let device = CommandOption.value(
    "--device-url", "U", "the device authorization endpoint (`--flow device`)")
  /// What tells whose a token is.
  static let userInfo = CommandOption.value(
    "--userinfo-url", "U", "the userinfo endpoint")
  /// What tells an application of a token.
  static let introspect = CommandOption.value(
    "--introspect-url", "U",
    "the introspection endpoint, for a client with a secret; it proves the login if nothing else does"
  )
  private static let revoke = CommandOption.value(
    "--revoke-url", "U", "the revocation endpoint, for logouts")
  private static let push = CommandOption.value(
    "--par-url", "U", "the pushed authorization request endpoint (`--flow code`)")
  private static let endSession = CommandOption.value(
    "--end-session-url", "U", "the page that logs the browser out: `logout --page`")
  private static let trustS256 = CommandOption.flag(
    "--trust-s256", "use PKCE with S256 although the server does not list it")
  private static let keys = CommandOption.value(
    "--jwks-url", "U", "the server's public keys (JWKS), which verify ID tokens")

  /// What a server may have.
  static let all = [authorize, token, device, push, userInfo, introspect, revoke, endSession]
  /// What only a server that signs ID tokens and describes itself has besides.
  static let openID = [keys, trustS256]

  /// Reads them.
  ///
  /// - Parameter arguments: What was given.
  /// - Returns: The endpoints; those that were not given are not set.
  /// - Throws: `UsageError` for what is no URL.
  static func server(_ arguments: Arguments) throws(UsageError) -> OAuth2Server {
    var server = OAuth2Server()
    server.authorisationURL = try URLArgument.optional(arguments, authorize)
    server.tokenURL = try URLArgument.optional(arguments, token)
    server.deviceAuthorisationURL = try URLArgument.optional(arguments, device)
    server.pushedAuthorisationURL = try URLArgument.optional(arguments, push)
    server.userInfoURL = try URLArgument.optional(arguments, userInfo)
    server.introspectionURL = try URLArgument.optional(arguments, introspect)
    server.revocationURL = try URLArgument.optional(arguments, revoke)
    server.endSessionURL = try URLArgument.optional(arguments, endSession)
    server.keysURL = try URLArgument.optional(arguments, keys)
    server.trustsS256 = arguments.has(trustS256)
    return server
  }
}

extension EndpointArguments {
  /// The endpoints that were set by hand, as a login was asked with them.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - options: Those that the command has.
  /// - Returns: Words of a command line; `nil` for an endpoint that it has no option for.
  static func words(_ settings: SavedSettings, of options: [CommandOption]) -> [String]? {
    guard var record = settings.values["server"]?.object else { return nil }
    var words: [String] = []
    for (option, name) in names where options.contains(option) {
      words += option.words(record[name]?.text)
      record[name] = nil
    }
    if options.contains(trustS256) {
      words += trustS256.words(record["trustsS256"]?.bool == true)
      record["trustsS256"] = nil
    }
    return record.isEmpty ? words : nil
  }

  /// What a server's own metadata call each.
  private static let names = [
    (authorize, "authorization_endpoint"), (token, "token_endpoint"),
    (device, "device_authorization_endpoint"), (push, "pushed_authorization_request_endpoint"),
    (userInfo, "userinfo_endpoint"), (introspect, "introspection_endpoint"),
    (revoke, "revocation_endpoint"), (endSession, "end_session_endpoint"), (keys, "jwks_uri"),
  ]
}
