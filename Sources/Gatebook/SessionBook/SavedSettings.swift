/// What was set when an account last logged in: an app's form can be filled in with it again.
///
/// It is kept sealed with the account, holds no secret, and survives the logout. The name that was
/// typed is `SessionContext.loginName`.
public struct SavedSettings: Hashable, Sendable {
  /// The login method's name, such as `fcsdk`.
  public let method: String
  /// The gateway of a method that has one, without its header field.
  public let gateway: FCSDKGateway?
  /// Which TLS servers the account trusts now; `SessionBook.revokeTrust` changes it.
  public let trust: Trust
}

extension SavedSettings {
  /// Reads what `encoded` wrote; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - bytes: The record.
  ///   - trust: What the account trusts; it has a record of its own.
  init?(_ bytes: [UInt8], trust: Trust) {
    guard let facts = Facts(decoding: bytes), let method = facts["method"]?.text,
      let settings = facts["settings"]?.object
    else { return nil }
    self.init(
      method: method,
      gateway: settings["gateway"]?.object.flatMap { FCSDKGateway(record: $0) }, trust: trust)
  }

  /// The record of a session's settings; `nil` for a method that has none.
  static func encoded(of proof: any SessionProof) -> [UInt8]? {
    guard !proof.settings.isEmpty else { return nil }
    let facts: Facts = [
      "method": .text(type(of: proof).method), "settings": .object(proof.settings),
    ]
    return facts.encoded
  }
}
