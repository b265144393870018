internal import Gatebook

/// A login command that can be written down again from what a login was asked with.
protocol RepeatableLogin: Command {
  /// The command's own options, in the order of the help; the person and the secrets are left out.
  ///
  /// - Parameter settings: What the login was asked with, of one of this command's methods.
  /// - Returns: Words of a command line; `nil` where an app has set something that no option says.
  static func words(_ settings: SavedSettings) -> [String]?
}
