import Gatebook

/// Notes what a login delegate hears, in its order.
actor HeardLogins: LoginDelegate {
  private(set) var heard: [String] = []

  func onLoginResponse(_ context: SessionContext) { heard.append("response") }

  func onLoginError(_ error: GatebookError) { heard.append("error \(error.code)") }

  func onCredentialsSaved(_ context: SessionContext) { heard.append("saved") }
}
