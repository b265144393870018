/// A program in one installation, which writes to a book.
public struct Program: Hashable, Sendable {
  /// The program's name, such as `mail`.
  public let name: String
  /// The program's version, such as `2.1`.
  public let version: String
  /// The installation: the same for all runs of the program on one machine by one user.
  public let installation: InstallationID

  /// Makes a program.
  public init(name: String, version: String, installation: InstallationID) {
    self.name = name
    self.version = version
    self.installation = installation
  }
}
