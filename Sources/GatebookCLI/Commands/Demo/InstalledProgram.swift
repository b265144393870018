internal import GatebookSystem

/// Where the programs are that belong to `gatebook` and are not for people.
enum InstalledProgram {
  /// Where a program may be: beside this one, or where packages put what is not for people.
  static func paths(_ name: String) -> [String] {
    ["\(folder)/\(name)", "\(folder)/../libexec/gatebook/\(name)"]
  }

  /// The folder of the repository that this program was built in; `nil` for an installed one.
  static var checkout: String? {
    let parts = folder.split(separator: "/")
    return parts.firstIndex { $0.hasPrefix(".build") }.map { path(parts[..<$0]) }
  }

  /// This program's own file.
  static var own: String { Files.target(ofLink: "/proc/self/exe") ?? "" }

  private static var folder: String { path(own.split(separator: "/").dropLast()) }

  private static func path(_ parts: ArraySlice<Substring>) -> String {
    parts.map { "/\($0)" }.joined()
  }
}
