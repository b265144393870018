/// How `login oidc` and `login oauth2` come by tokens.
enum GrantFlow: String, CaseIterable, Sendable {
  case code
  case device
  case password
  case clientCredentials = "client-credentials"

  /// The option that chooses one.
  static let choice = CommandOption.choice(
    "--flow", allCases.map(\.rawValue),
    "on a page of the server (code, unless another is named), by a short code on another device, by "
      + "name and password, or for the application itself")
}

extension GrantFlow {
  /// Reads how an account's settings call it.
  init?(kept name: String) {
    self.init(rawValue: name == "clientCredentials" ? Self.clientCredentials.rawValue : name)
  }
}
