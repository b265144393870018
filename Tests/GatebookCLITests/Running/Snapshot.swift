internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Texts that are compared with files kept beside the tests.
///
/// `GATEBOOK_UPDATE_SNAPSHOTS=1` writes the files again; with `CI` set that is a failure.
enum Snapshot {
  /// Compares a text with its snapshot.
  ///
  /// - Parameters:
  ///   - text: What was printed; what differs from run to run is replaced first.
  ///   - name: The file's name without its extension.
  ///   - folder: A temporary folder whose name is replaced too.
  ///   - location: Where the test says so.
  /// - Throws: There is no such snapshot.
  static func check(
    _ text: String, _ name: String, folder: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let steady = Steady.text(text, folder: folder)
    let path = "\(directory)/\(name).txt"
    guard getenv("GATEBOOK_UPDATE_SNAPSHOTS") == nil else {
      try #require(
        getenv("CI") == nil, "snapshots are never written in CI", sourceLocation: location)
      try TextFile.write(Array(steady.utf8), to: path)
      return
    }
    let kept = try TextFile.read(path, what: "snapshot \(name)")
    guard steady != kept else { return }
    let lines = steady.split(separator: "\n", omittingEmptySubsequences: false)
    let keptLines = kept.split(separator: "\n", omittingEmptySubsequences: false)
    let index = zip(lines, keptLines).prefix { $0 == $1 }.count
    Issue.record(
      """
      snapshot \(name) differs in line \(index + 1):
      kept: \(index < keptLines.count ? keptLines[index] : "(its end)")
      now:  \(index < lines.count ? lines[index] : "(its end)")
      """, sourceLocation: location)
  }

  private static var directory: String {
    let file = String(describing: #filePath)
    let folder = file.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(folder)/Snapshots"
  }
}
