internal import Gatebook

/// One client that registered: a key pair with an id, and the states of its checks.
struct FakeRegisteredClient: Sendable {
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
}

/// What a client registers: its key and what it says about its application and device.
struct RegistrationData {
  let key: RegisteredKey
  let payload: PlainJSON

  /// Why data is not accepted.
  enum Flaw: Error {
    /// The text, the key or the signature is wrong.
    case invalid
    /// Another version of the protocol is spoken.
    case otherVersion
  }

  /// Reads the body of a registration and verifies it with the key that it carries.
  ///
  /// That application, platform and device must be named is inferred.
  init(_ body: [UInt8]) throws(Flaw) {
    guard let parts = PlainJSON.read(body)?["signedRegistrationData"],
      let header = parts["header"]?.string, let payload = parts["payload"]?.string,
      let signature = parts["signature"]?.string,
      let signed = SignedParts(header: header, payload: payload, signature: signature),
      let key = signed.header["jwk"].flatMap({ RegisteredKey(rsa: $0) }),
      signed.isSigned(by: key)
    else { throw .invalid }
    guard let application = signed.payload["application"],
      application["id"]?.string?.isEmpty == false,
      application["clientPlatform"]?.string?.isEmpty == false,
      signed.payload["device"]?["id"]?.string?.isEmpty == false
    else { throw .invalid }
    let version = signed.payload["attributes"]?["sdk_protocol_version"]
    guard version == nil || version == .integer(1) else { throw .otherVersion }
    self.key = key
    self.payload = signed.payload
  }
}

/// An access token.
struct GrantedToken: Hashable, Sendable {
  var clientID: String
  var scope: String
  /// The earliest end of the checks that it rests on, capped by the application's limit.
  var expiresAt: Timestamp
  /// The success phase of every check that it rests on, by name.
  var successes: [String: Int] = [:]
}

/// What an authorization gave: good for one token.
struct GrantedCode: Hashable, Sendable {
  var clientID: String
  var scope: String
}
