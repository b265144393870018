internal import GatebookEvents
internal import GatebookSystem

/// The message bus of the person's desktop session (D-Bus Specification, "Well-known Message Bus
/// Instances").
enum SessionBus {
  /// Makes sure that there is one, before GLib is asked.
  ///
  /// GLib would start a bus of its own where it finds none ("autolaunch"), and with it an empty
  /// keyring. It reads the same two variables: the environment cannot be given to it another way.
  ///
  /// - Throws: `key.missing` when this process belongs to no desktop session.
  static func require() throws(GatebookError) {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS") {
      guard !address.hasPrefix("autolaunch:") else { throw missing }
      return
    }
    guard let folder = variable("XDG_RUNTIME_DIR"),
      FileStatus(of: "\(folder)/bus")?.isSocket == true
    else { throw missing }
  }

  private static func variable(_ name: String) -> String? {
    ThisProcess.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  private static var missing: GatebookError {
    GatebookError(
      .keyMissing, "There is no desktop session, so no keyring is available.",
      remedy:
        "Run the program in the desktop session (with its DBUS_SESSION_BUS_ADDRESS), or use another key "
        + "source.")
  }
}
