internal import Gatebook

/// The options that say where a server of OAuth 2 has what, shared by `login oidc` and
/// `login oauth2`.
///
/// What is given here wins over what a server says of itself.
enum EndpointArguments {
  /// Where tokens come from.
  static let token = endpoint("--token-url", "token_endpoint", "the token endpoint")
  /// The page of the login.
  static let authorize = endpoint(
    "--authorize-url", "authorization_endpoint",
    "the authorization endpoint: the login page (`--flow code`)")
  /// Where codes for another device come from.
  static let device = endpoint(
    "--device-url", "device_authorization_endpoint",
    "the device authorization endpoint (`--flow device`)")

  /// What a server may have.
  static let all = [
    authorize, token, device,
    endpoint(
      "--par-url", "pushed_authorization_request_endpoint",
      "the pushed authorization request endpoint (`--flow code`)"),
    endpoint("--userinfo-url", "userinfo_endpoint", "the userinfo endpoint"),
    endpoint(
      "--introspect-url", "introspection_endpoint",
      "the introspection endpoint, for a client with a secret; it proves the login if nothing else "
        + "does"),
    endpoint(
      "--revoke-url", "revocation_endpoint", "the revocation endpoint, for logouts"),
    endpoint(
      "--end-session-url", "end_session_endpoint",
      "the page that logs the browser out: `logout --page`"),
  ]
  /// What only a server that signs ID tokens and describes itself has besides.
  static let openID = [
    endpoint("--jwks-url", "jwks_uri", "the server's public keys (JWKS), which verify ID tokens"),
    .flag(
      "--trust-s256", "use PKCE with S256 although the server does not list it",
      kept: "server.trustsS256"),
  ]

  /// An endpoint, by its name in a server's own metadata.
  private static func endpoint(
    _ name: String, _ metadata: String, _ note: String
  ) -> CommandOption {
    .value(name, "U", note, kept: "server.\(metadata)")
  }

  /// Reads them.
  ///
  /// - Parameter arguments: What was given.
  /// - Returns: The endpoints; those that were not given are not set.
  /// - Throws: `UsageError` for what is no URL.
  static func server(_ arguments: Arguments) throws(UsageError) -> OAuth2Server {
    var record: Facts = [:]
    for option in all + openID {
      guard let text = arguments[option], let name = option.kept?.split(separator: ".").last else {
        continue
      }
      record[String(name)] =
        option.placeholder == nil ? true : try URLArgument.read(text, option.name).fact
    }
    return OAuth2Server(record: record) ?? OAuth2Server()
  }
}
