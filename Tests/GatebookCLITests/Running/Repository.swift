internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The clone that the tests were built from.
enum Repository {
  /// The exit of a program, and what it printed to its output and its errors.
  struct Ending {
    let exit: Int32
    let output: String
  }

  static let root =
    "/"
    + String(describing: #filePath).split(separator: "/").dropLast(4).joined(separator: "/")

  /// What SwiftPM calls the package: by its folder, and not by its manifest.
  static var identity: String {
    let name = root.split(separator: "/").last?.lowercased() ?? ""
    let identifier = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return identifier.first?.isNumber == true ? "_" + identifier.dropFirst() : identifier
  }

  /// Runs a shell's command in the root folder.
  static func run(_ command: String) throws -> Ending {
    let pipe = try #require(popen("cd \(ShellText.quoted(root)) && { \(command)\n} 2>&1", "r"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      bytes += buffer[..<count]
    }
    let status = pclose(pipe)
    let exit = status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    return Ending(exit: exit, output: String(decoding: bytes, as: UTF8.self))
  }

  /// README.md and the articles, by their paths from the root.
  static func documents() throws -> [String] {
    let list = try run("ls README.md Sources/*/*.docc/*.md")
    try #require(list.exit == 0, "\(list.output)")
    return list.output.split(separator: "\n").map(String.init)
  }

  /// The names of the package's products.
  static func products() throws -> Set<String> {
    let manifest = try TextFile.read("\(root)/Package.swift", what: "manifest")
    let products = manifest.matches(of: /\.(?:library|executable)\(name: "([\w-]+)"/)
    return Set(products.map { String($0.output.1) })
  }
}
