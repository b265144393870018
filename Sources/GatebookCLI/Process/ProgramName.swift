/// The names of links to `gatebook` under which other programs look for their helpers.
enum ProgramName {
  private static let commands = [
    "docker-credential-gatebook": ["credential", "docker"],
    "git-credential-gatebook": ["credential", "git"],
    "keyring": ["credential", "keyring"],
  ]

  /// All of them.
  static var links: [String] { commands.keys.sorted() }

  /// The words of the command that a name stands for.
  ///
  /// - Parameter path: How the program was called.
  /// - Returns: The words; none for any other name.
  static func words(_ path: String?) -> [String] {
    let name = path?.split(separator: "/", omittingEmptySubsequences: false).last
    return name.flatMap { commands[String($0)] } ?? []
  }
}
