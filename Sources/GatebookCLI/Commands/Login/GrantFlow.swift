/// How `login oidc` and `login oauth2` come by tokens.
enum GrantFlow: String, CaseIterable, Sendable {
  case code
  case device
  case password
  case clientCredentials = "client-credentials"

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--flow", allCases.map(\.rawValue),
    "log in on a page of the server (code, the default), with a short code on another device, with user "
      + "name and password, or as the application itself")
}

extension GrantFlow {
  /// Reads how an account's settings call it.
  init?(kept name: String) {
    self.init(rawValue: name == "clientCredentials" ? Self.clientCredentials.rawValue : name)
  }
}
