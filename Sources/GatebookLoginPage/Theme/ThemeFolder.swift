internal import GatebookSystem

/// Reads the files of a theme, and nothing outside of its folder.
enum ThemeFolder {
  /// The most bytes of all files together.
  static let largest = 4 << 20
  /// The most files.
  static let mostFiles = 64

  /// The files by their names.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: The contents.
  /// - Throws: `ThemeFault` for a folder that is not there, a file that leads outside, and too
  ///   much.
  static func files(in folder: String) throws(ThemeFault) -> [String: [UInt8]] {
    guard let home = Files.resolved(folder), Files.isFolder(home) else {
      throw ThemeFault(
        Files.exists(folder) ? "It is not a folder." : "There is no such folder.")
    }
    let names = Files.names(in: home).filter { !$0.hasPrefix(".") }.sorted()
    guard names.count <= mostFiles else {
      throw ThemeFault("It has more than \(mostFiles) files.")
    }
    var files: [String: [UInt8]] = [:]
    var left = largest
    for name in names {
      // A link may lead anywhere: what the page shows must be in the folder.
      let path = "\(home)/\(name)"
      guard Files.resolved(path) == path else {
        throw ThemeFault("It is a link. A theme has files of its own only.", in: name)
      }
      guard let status = FileStatus(of: path), status.isRegular else {
        throw ThemeFault("It is not a file. A theme has no folders in it.", in: name)
      }
      guard let file = OpenFile.open(path, .readInPlace), let bytes = file.readToEnd(limit: left)
      else {
        throw ThemeFault("The file cannot be read.", in: name)
      }
      guard bytes.count <= left else {
        throw ThemeFault("The theme is larger than \(largest >> 20) MiB.", in: name)
      }
      left -= bytes.count
      files[name] = bytes
    }
    return files
  }
}
