internal import Gatebook
internal import GatebookFleet
internal import GatebookSystem

/// The options that say which fleet, and which servers are trusted.
enum FleetArguments {
  /// The variable of the environment that names the fleet.
  static let variable = "GATEBOOK_FLEET"
  /// Which fleet, for commands that ask it.
  static let fleet = CommandOption.value(
    "--fleet", "URL", "the fleet: postgresql://USER@HOST/DATABASE (default: $\(variable))")
  /// Which fleet, for `ship`.
  static let target = CommandOption.value(
    "--to", "URL", "the fleet: postgresql://USER@HOST/DATABASE (default: $\(variable))")

  private static let authorities = CommandOption.value(
    "--ca-file", "F", "trust the certificate authorities in this PEM file, and only those")
  private static let cleartext = CommandOption.flag(
    "--allow-cleartext",
    "connect to another machine without checking its certificate: others can then read and change what is "
      + "sent")

  /// Which servers are trusted.
  static let trust = [authorities, cleartext]

  /// What is said of passwords in the help of each command.
  static let passwords =
    "The password is in ~/.pgpass, in the file that PGPASSFILE names, or in a service file "
    + "(`postgresql:///?service=NAME`); on a terminal it is asked for. A URL with a password is refused, "
    + "and PGPASSWORD is not read."

  /// The fleet that a command names.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - option: The option that names it.
  /// - Returns: How to reach it.
  /// - Throws: `UsageError` where none is named, or its URL cannot be used.
  @MainActor static func access(_ call: Call, _ option: CommandOption) throws -> FleetAccess {
    guard let url = call.arguments[option] ?? call.surroundings[variable] else {
      throw UsageError(
        "No fleet is named.",
        remedy: "Add `\(option.name) URL`, or set \(variable) to postgresql://USER@HOST/DATABASE.")
    }
    return try access(call, url: url)
  }

  /// The fleet at a URL.
  ///
  /// - Throws: `UsageError` where the URL cannot be used.
  @MainActor static func access(_ call: Call, url: String) throws -> FleetAccess {
    // libpq would read it in this process: it is taken away before anything is sent.
    ThisProcess.removeEnvironment("PGPASSWORD")
    var trust = FleetTrust(allowsCleartext: call.arguments.has(cleartext))
    if let path = call.arguments[authorities] {
      trust.authorities = try FilePath.absolute(path, authorities)
    }
    let address = try address(url)
    let answers = call.answers
    return FleetAccess(address, trust: trust) { () throws(GatebookError) in
      try answers.secret("Password for the fleet at \(address)")
    }
  }

  private static func address(_ url: String) throws -> FleetAddress {
    do throws(GatebookError) {
      return try FleetAddress(url)
    } catch {
      guard error.setting == "url" else { throw error }
      throw UsageError(error.message, remedy: error.remedy)
    }
  }
}
