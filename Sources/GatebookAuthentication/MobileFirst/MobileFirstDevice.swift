package import GatebookEvents

/// The data about the device in a registration.
public struct MobileFirstDevice: Hashable, Sendable {
  /// The device's id; `nil` uses a random one for each registration, so that the accounts of one device cannot
  /// be linked.
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
