/// What was set when an account last logged in: an app's form can be filled in with it again.
///
/// It is kept sealed with the account, holds no secret, and survives the logout. The name that was
/// typed is `SessionContext.loginName`.
public struct SavedSettings: Hashable, Sendable {
  /// The login method's name, such as `fcsdk`.
  public let method: String
  /// The gateway of a method that has one, without its header field.
  public let gateway: FCSDKGateway?
  /// Which TLS servers were trusted.
  public let trust: Trust
  /// What the method wants remembered.
  private let settings: Facts
}

extension SavedSettings {
  /// The settings of a session; `nil` for a method that has none.
  init?(of stored: StoredSession) {
    let settings = stored.proof.settings
    guard !settings.isEmpty else { return nil }
    self.init(type(of: stored.proof).method, settings, stored.trust)
  }

  /// Reads what `encoded` wrote; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    guard let facts = Facts(decoding: bytes), let method = facts["method"]?.text,
      let settings = facts["settings"]?.object,
      let trust = facts["trust"]?.object.flatMap({ Trust(record: $0) })
    else { return nil }
    self.init(method, settings, trust)
  }

  private init(_ method: String, _ settings: Facts, _ trust: Trust) {
    self.method = method
    self.settings = settings
    self.trust = trust
    gateway = settings["gateway"]?.object.flatMap { FCSDKGateway(record: $0) }
  }

  var encoded: [UInt8] {
    let facts: Facts = [
      "method": .text(method), "settings": .object(settings), "trust": .object(trust.record),
    ]
    return facts.encoded
  }
}
