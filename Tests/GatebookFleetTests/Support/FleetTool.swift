import Gatebook
import GatebookSystem
import Testing

/// `tools/fleet`, started: it stops its servers with the last of them that is referred to, and at
/// the latest with this process.
final class FleetTool: Sendable {
  /// What it says of a server.
  struct Started: Sendable {
    let port: Int
    let folder: String
    let passfile: String
    let authority: String?
  }

  private let process: ChildProcess
  /// The tool stops its servers when its input ends.
  private let input: Locked<OpenFile?>
  private let started: [Started]

  /// Where files lie in memory; `nil` where there is no room for databases.
  private static var memory: String? {
    let room = Files.freeSpace(at: "/dev/shm") ?? 0
    return Files.isWritable("/dev/shm") && room > 3 << 30 ? "/dev/shm" : nil
  }

  /// Starts servers.
  ///
  /// - Parameters:
  ///   - options: Those of `tools/fleet`.
  ///   - parent: The folder that theirs is made in; `nil` for memory where that is possible.
  /// - Throws: They do not start.
  init(_ options: [String] = [], in parent: String? = nil) throws {
    let input = try #require(Pipe())
    let output = try #require(Pipe())
    let parent = parent ?? Self.memory ?? "/tmp"
    let process = ChildProcess(
      Self.folder + "/fleet", ["fleet"] + options,
      environment: ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "TMPDIR=\(parent)"],
      streams: [.descriptor(input.output), .descriptor(output.input), .inherited])
    _ = OpenFile(taking: input.output)
    _ = OpenFile(taking: output.input)
    self.input = Locked(OpenFile(taking: input.input))
    self.process = try #require(process, "there is no \(Self.folder)/fleet")
    let answers = OpenFile(taking: output.output)
    var started: [Started] = []
    while let line = answers.line(), line != "ready" {
      started.append(
        Started(
          port: try #require(Self.field("port", line).flatMap { Int($0) }),
          folder: try #require(Self.field("folder", line)),
          passfile: try #require(Self.field("passfile", line)), authority: Self.field("ca", line)))
    }
    self.started = started
    try #require(!started.isEmpty, "tools/fleet says what is missing: tools/install build fleet")
  }

  deinit {
    input.withLock { $0 = nil }
    process.wait()
  }

  /// The servers, which keep the tool running.
  func servers() -> [FleetServer] { started.map { FleetServer($0, of: self) } }

  /// The folder `tools` of this repository.
  static let folder: String = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/tools"
  }()

  /// The value of a field of a line of JSON; `nil` for null.
  private static func field(_ name: String, _ line: String) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\": ")?.upperBound else { return nil }
    let rest = line[start...]
    guard rest.first == "\"" else {
      let number = rest.prefix { $0.isNumber }
      return number.isEmpty ? nil : String(number)
    }
    return String(rest.dropFirst().prefix { $0 != "\"" })
  }
}

extension OpenFile {
  /// The next line without its end; `nil` at the end of the file.
  fileprivate func line() -> String? {
    var line: [UInt8] = []
    while let byte = read(atMost: 1)?.first {
      guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
