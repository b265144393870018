package import GatebookCrypto
package import GatebookEvents

/// One client as a server knows it: its id, its key pair and what was registered of the app.
///
/// An account has one of its own, which survives its sessions. Secret: it holds the private key.
package struct ClientRegistration: Sendable {
  /// The server's id of the client; empty while it is being registered.
  package var clientID: String
  /// The key pair whose public part the server knows.
  package let key: RSAKey
  /// The id of the device that was told.
  package let deviceID: String
  /// The app as it was registered.
  package var app: MobileFirstApp
  /// The server's clock less ours, in milliseconds; 0 until it said so.
  package var offset: Int64

  /// Makes a registration.
  package init(
    clientID: String, key: RSAKey, deviceID: String, app: MobileFirstApp, offset: Int64
  ) {
    self.clientID = clientID
    self.key = key
    self.deviceID = deviceID
    self.app = app
    self.offset = offset
  }

  /// Whether the server has to be told of other application or device data.
  func differs(from app: MobileFirstApp) -> Bool {
    Self.content(self.app, deviceID: deviceID) != Self.content(app, deviceID: deviceID)
  }

  /// The key's name in events: its JWK thumbprint (RFC 7638).
  package var thumbprint: String { key.publicKey.thumbprint }

  /// The payload of a registration (section 6.1).
  static func content(_ app: MobileFirstApp, deviceID: String) -> Facts {
    [
      "application": .object([
        "clientPlatform": .text(app.platform), "id": .text(app.applicationID),
        "version": .optional(app.version),
      ]),
      "attributes": .object(["sdk_protocol_version": .integer(app.protocolVersion)]),
      "device": .object([
        "hardware": .text(app.device.hardware), "id": .text(app.device.id ?? deviceID),
        "platform": .text(app.device.platform),
      ]),
    ]
  }
}

extension ClientRegistration: StoredRecord {
  /// The registration with its key.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    app = try facts.required("app", kept?.app)
    clientID = try facts.required("client", kept?.clientID)
    deviceID = try facts.required("device", kept?.deviceID)
    key = try facts.required("key", kept?.key)
    offset = try facts.required("offset", kept?.offset)
  }
}

/// The data about the device in a registration.
public struct MobileFirstDevice: Hashable, Sendable {
  /// The device's id; `nil` uses a random one for each registration, so that the accounts of one
  /// device cannot be linked.
  public var id: String?
  /// The device's platform and its version.
  public var platform: String
  /// The device's model.
  public var hardware: String

  /// Describes a device.
  public init(id: String? = nil, platform: String = "linux", hardware: String = "generic") {
    self.id = id
    self.platform = platform
    self.hardware = hardware
  }
}

extension MobileFirstDevice: StoredRecord {
  /// The device, as a registration tells it.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    hardware = facts.optional("hardware", kept?.hardware) ?? ""
    id = facts.optional("id", kept?.id)
    platform = facts.optional("platform", kept?.platform) ?? ""
  }
}
