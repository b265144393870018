internal import Gatebook

/// The identity of this installation: the same for all runs of one user on one machine.
enum Installation {
  /// Reads the identity, or makes it at the first use.
  ///
  /// - Parameter folder: `$XDG_CONFIG_HOME/gatebook`; `nil` when it is not known where that is.
  /// - Returns: 16 random bytes, the same each time; new ones each time where they cannot be kept.
  static func identity(in folder: String?) -> InstallationID {
    let random = SystemRandom()
    guard let folder else { return InstallationID(random: random) }
    let path = "\(folder)/installation"
    Folders.make(above: path)
    return (try? InstallationID.kept(at: path, random: random)) ?? InstallationID(random: random)
  }
}
