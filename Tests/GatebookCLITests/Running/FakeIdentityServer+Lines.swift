internal import GatebookFakes

extension FakeIdentityServer {
  /// The line of a login here by `login oidc` or `login oauth2`.
  func line(
    _ command: String, _ flow: String, _ more: [String] = [], check: String = "/notes"
  ) -> [String] {
    let place =
      command == "oidc"
      ? ["--issuer", url]
      : [
        "--authorize-url", url + "/authorize", "--token-url", url + "/token",
        "--revoke-url", url + "/revoke", "--device-url", url + "/device",
        "--check", url + check,
      ] + (["code", "device"].contains(flow) ? ["--user", FakeIdentityServer.user] : [])
    return ["login", command] + place
      + ["--client-id", FakeIdentityServer.clientID, "--flow", flow, "--json"] + more
  }
}
