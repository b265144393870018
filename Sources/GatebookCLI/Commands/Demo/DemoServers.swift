internal import Gatebook
internal import GatebookSystem

/// The servers of the demonstration: `gatebook-demo-servers`, a program of its own beside this one.
///
/// Its `DemoServersMain.swift` says what it prints and which commands it reads.
@MainActor final class DemoServers {
  private static let name = "gatebook-demo-servers"

  private let process: ChildProcess
  /// What the program reads, and what it prints.
  private let input: Int32
  private let output: Int32
  private var places: Facts = [:]
  private var isRunning = true

  /// Starts the program, and waits until its servers answer.
  ///
  /// - Parameter paths: Where it may be.
  /// - Throws: `configuration.invalid` where the program is missing or cannot start its servers.
  init(_ paths: [String] = DemoServers.paths) throws(GatebookError) {
    guard let path = paths.first(where: { Files.isExecutable($0) }) else {
      throw GatebookError(
        .configurationInvalid, "The demo needs the program \(Self.name), and it is not installed.",
        remedy:
          "Build it with `swift build --product \(Self.name)`, and install it beside gatebook. "
          + "It was looked for at \(paths.joined(separator: " and ")).")
    }
    guard let (process, input, output) = Self.start(path) else { throw Self.failed }
    (self.process, self.input, self.output) = (process, input, output)
    guard let places = line().flatMap({ JSONDocument.read(Array($0.utf8))?.object }) else {
      stop()
      throw Self.failed
    }
    self.places = places
  }

  /// Where the program may be: beside this one, or where packages put what is not for people.
  static var paths: [String] {
    let own = Files.target(ofLink: "/proc/self/exe") ?? ""
    let folder = own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    return ["\(folder)/\(name)", "\(folder)/../libexec/gatebook/\(name)"]
  }

  /// That they are not there, or do not say what they must.
  static let failed = GatebookError(
    .configurationInvalid, "The servers of the demo could not be started.",
    remedy: "Run \(name) to see why.")

  /// What the program said of its servers.
  func text(_ name: String) throws(GatebookError) -> String {
    guard let text = places[name]?.text else { throw Self.failed }
    return text
  }

  /// A URL that the program said.
  func url(_ name: String) throws(GatebookError) -> HTTPURL {
    guard let url = HTTPURL(try text(name)) else { throw Self.failed }
    return url
  }

  /// The company ID of both portals.
  var company: Int64 { places["company"]?.integer ?? 0 }

  /// Lets the OpenID Connect server refuse the access tokens that it gave.
  func endTokens() throws(GatebookError) {
    let command = "end-tokens\n"
    guard FileDescriptor.write(command.utf8, to: input), line() == "done" else {
      throw Self.failed
    }
  }

  /// Stops all servers; nothing happens the second time.
  func stop() {
    guard isRunning else { return }
    isRunning = false
    FileDescriptor.close(input)
    FileDescriptor.close(output)
    process.wait()
  }

  /// The next line that the program prints; `nil` at its end.
  private func line() -> String? {
    var bytes: [UInt8] = []
    while true {
      guard let byte = FileDescriptor.read(output, atMost: 1)?.first else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  private static func start(
    _ path: String
  ) -> (process: ChildProcess, input: Int32, output: Int32)? {
    guard let toProgram = Pipe() else { return nil }
    guard let fromProgram = Pipe() else {
      FileDescriptor.close(toProgram.input)
      FileDescriptor.close(toProgram.output)
      return nil
    }
    defer {
      FileDescriptor.close(toProgram.output)
      FileDescriptor.close(fromProgram.input)
    }
    let process = ChildProcess(
      path, [name],
      streams: [.descriptor(toProgram.output), .descriptor(fromProgram.input), .inherited])
    guard let process else {
      FileDescriptor.close(toProgram.input)
      FileDescriptor.close(fromProgram.output)
      return nil
    }
    return (process, toProgram.input, fromProgram.output)
  }
}
