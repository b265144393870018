/// The names of links to `gatebook` under which other programs look for their helpers.
enum ProgramName {
  private static let commands = [
    "git-credential-gatebook": ["credential", "git"]
  ]

  /// The words of the command that a name stands for; none for any other name.
  ///
  /// - Parameter path: How the program was called.
  static func words(_ path: String?) -> [String] {
    let name = path?.split(separator: "/", omittingEmptySubsequences: false).last
    return name.flatMap { commands[String($0)] } ?? []
  }
}
