import GatebookSystem
import Testing

/// A folder of a test's own, in memory where that is possible; gone with its last reference.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    let parent = Files.isWritable("/dev/shm") ? "/dev/shm" : "/tmp"
    path = try #require(Files.makeTemporaryFolder(named: "gatebook-fleet-test", in: parent))
  }

  deinit {
    Self.remove(path)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func remove(_ path: String) {
    for name in Files.names(in: path) where !Files.remove("\(path)/\(name)") {
      remove("\(path)/\(name)")
    }
    Files.removeFolder(path)
  }
}
