import Gatebook
import GatebookSystem
import Glibc
import Testing

@testable import GatebookLoginPage

/// A theme in a folder of its own, removed with the last reference.
final class ThemeOnDisk {
  let folder: String

  /// The files of the theme `default`.
  static let files = [
    "page.html": text(PackageResources.default_html),
    "default.css": text(PackageResources.default_css),
    "default.svg": text(PackageResources.default_svg),
  ]

  init(_ files: [String: String] = ThemeOnDisk.files) throws {
    folder = try #require(Files.makeTemporaryFolder(named: "gatebook-theme"))
    for (name, text) in files { try write(name, Array(text.utf8)) }
  }

  deinit {
    for name in Files.names(in: folder) {
      let path = "\(folder)/\(name)"
      if !Files.remove(path) { Files.removeFolder(path) }
    }
    Files.removeFolder(folder)
  }

  /// The theme that it is.
  func theme() throws(GatebookError) -> LoginTheme { try LoginTheme(folder: folder) }

  /// Writes a file.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try #require(fopen("\(folder)/\(name)", "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
