internal import Gatebook

/// One client that registered: a key pair with an id, and the states of its checks.
struct RegisteredClient: Sendable {
  let id: String
  let key: RegisteredKey
  /// What was registered: `application`, `device` and `attributes`.
  var payload: PlainJSON
  var states: [String: SecurityCheckState] = [:]

  /// What the client may call itself in assertions: `<application>$<platform>[$<version>]`.
  var issuers: [String] {
    let application = payload["application"]
    let name = application?["id"]?.string ?? ""
    let platform = application?["clientPlatform"]?.string ?? ""
    let short = "\(name)$\(platform)"
    guard let version = application?["version"]?.string else { return [short] }
    return [short, "\(short)$\(version)"]
  }

  /// The state of a check.
  func state(of check: String) -> SecurityCheckState {
    states[check] ?? SecurityCheckState()
  }
}
