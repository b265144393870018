internal import Gatebook
internal import GatebookSystem

/// The servers that the demonstrations log in to: `gatebook-demo-servers`, a program of its own
/// beside this one.
///
/// Its `DemoServersMain.swift` says what it prints and which commands it reads.
@MainActor final class DemoServers {
  private static let name = "gatebook-demo-servers"

  private let program: LineProgram
  private var places: Facts = [:]

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
    guard let program = LineProgram(path) else { throw Self.failed }
    self.program = program
    guard let places = program.line().flatMap({ JSONDocument.read(Array($0.utf8))?.object }) else {
      stop()
      throw Self.failed
    }
    self.places = places
  }

  /// Where the program may be.
  static var paths: [String] { InstalledProgram.paths(name) }

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
  func endTokens() throws(GatebookError) { try tell("end-tokens") }

  /// Lets the OpenID Connect server refuse the refresh tokens too: the sessions have ended.
  func endSessions() throws(GatebookError) { try tell("end-sessions") }

  /// Stops all servers; nothing happens the second time.
  func stop() { program.end() }

  private func tell(_ command: String) throws(GatebookError) {
    guard program.answer(to: command) == "done" else { throw Self.failed }
  }
}
