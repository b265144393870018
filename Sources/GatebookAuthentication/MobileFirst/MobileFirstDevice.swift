internal import GatebookEvents

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

extension MobileFirstDevice {
  init(record: Facts) {
    self.init(
      id: record["id"]?.text, platform: record["platform"]?.text ?? "",
      hardware: record["hardware"]?.text ?? "")
  }

  var record: Facts {
    ["hardware": .text(hardware), "id": .optional(id), "platform": .text(platform)]
  }
}
