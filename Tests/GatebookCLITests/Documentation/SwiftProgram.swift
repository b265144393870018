internal import Testing

@testable internal import GatebookCLI

/// Blocks of Swift of one document that make one program, or one package manifest.
struct SwiftProgram {
  private static let imports = "import Gatebook; import GatebookCurl"
  private static let package =
    #"import PackageDescription; let package = Package(name: "example","#

  /// These articles are for developers of Gatebook: their code is part of the package and sees more
  /// of it.
  private static let inside = ["WritingAnAuthenticator.md"]

  let blocks: [CodeBlock]
  let isManifest: Bool

  /// The programs of a document.
  ///
  /// A block that begins with an import starts one, and the blocks after it continue it. A manifest
  /// is a program of its own.
  static func programs(of blocks: [CodeBlock]) -> [SwiftProgram] {
    var programs: [SwiftProgram] = []
    var current: [CodeBlock] = []
    for block in blocks where block.language == "swift" {
      let isWhole = block.opening.hasPrefix("// swift-tools-version")
      if isWhole || block.opening.hasPrefix("dependencies:") {
        programs.append(SwiftProgram(blocks: [block], isManifest: true))
        continue
      }
      if block.opening.hasPrefix("import "), !current.isEmpty {
        programs.append(SwiftProgram(blocks: current, isManifest: false))
        current = []
      }
      current.append(block)
    }
    guard !current.isEmpty else { return programs }
    return programs + [SwiftProgram(blocks: current, isManifest: false)]
  }

  /// The document's lines with nothing but the program's code, so that the compiler counts as a
  /// reader does.
  var source: String {
    var lines: [Substring] = []
    for block in blocks {
      lines += Array(repeating: "", count: block.line - lines.count)
      if isManifest, block.opening.hasPrefix("dependencies:") {
        lines[block.line - 1] = Self.package[...]
        lines += block.lines + [")"]
      } else {
        lines += block.lines
      }
    }
    if !isManifest, blocks.first?.opening.hasPrefix("import ") == false {
      lines[0] = Self.imports[...]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What the compiler finds in it, with the document's name and lines; nothing if it compiles.
  func problems() throws -> String {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    // Only a file of this name may have statements outside of functions.
    let path = "\(folder.path)/main.swift"
    try TextFile.write(Array(source.utf8), to: path)
    let document = blocks.first?.document ?? ""
    var flags = try isManifest ? Self.manifestFlags() : Self.flags()
    if Self.inside.contains(where: document.hasSuffix) {
      flags += ["-package-name", Repository.identity]
    }
    let command = [
      "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors",
      "-diagnostic-style=llvm",
    ]
    let words = command + flags + [path]
    let ending = try Repository.run(words.map(ShellText.quoted).joined(separator: " "))
    guard ending.exit != 0 else { return "" }
    // Without the lines that show the code again, unless something else went wrong.
    let lines = ending.output.replacing(path, with: document).split(separator: "\n")
    let errors = lines.filter { $0.hasPrefix("\(document):") && !$0.contains(": note: ") }
    return (errors.isEmpty ? lines : errors).joined(separator: "\n")
  }

  /// The package's own modules, built with this test, and the C modules that they need.
  private static func flags() throws -> [String] {
    let program = try ChildProcess.program()
    let build = program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex)
    var flags = ["-I", "\(build)/Modules", "-module-cache-path", "\(build)/ModuleCache"]
    let maps = try Repository.run("find Sources -name module.modulemap")
    for map in maps.output.split(separator: "\n") {
      let folder = map.dropLast("/module.modulemap".count)
      flags += ["-Xcc", "-fmodule-map-file=\(Repository.root)/\(map)"]
      flags += ["-Xcc", "-I\(Repository.root)/\(folder)"]
    }
    return flags
  }

  private static func manifestFlags() throws -> [String] {
    let info = try Repository.run("swiftc -print-target-info").output
    let resources = try #require(info.firstMatch(of: /"runtimeResourcePath": "([^"]+)"/)).output.1
    return [
      "-I", "\(resources)/pm/ManifestAPI", "-Xfrontend", "-package-description-version",
      "-Xfrontend", "6.2.0",
    ]
  }
}
