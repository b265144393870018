import GatebookSystem
import Glibc
import Testing

/// A folder for the files of a demonstration, which the user `postgres` can pass through.
struct DemoPlace {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try #require(chmod(folder.path, 0o711) == 0)
  }

  /// The variables that let a demonstration use it.
  var environment: [String: String] { ["TMPDIR": folder.path] }

  /// The names in it, and the processes whose command line names it, as those of PostgreSQL servers
  /// do.
  var remains: [String] {
    Files.names(in: folder.path)
      + Files.names(in: "/proc").filter { name in
        Int(name) != nil && Files.text(of: "/proc/\(name)/cmdline").contains(folder.path)
      }
  }
}
