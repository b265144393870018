internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// A home with an agent, and processes that find it.
final class AgentScene {
  let scene: Scene
  private(set) var agent: ChildProcess?

  init() throws {
    scene = try Scene()
  }

  deinit { agent?.signal(SIGKILL) }

  var path: String { "\(scene.folder)/run/agent" }

  /// What processes need to find the agent.
  var using: [String: String] { ["GATEBOOK_AGENT": path, "PATH": "/usr/bin:/bin"] }

  /// Starts the agent, and waits until it serves.
  @discardableResult
  func start(_ more: [String] = [], environment: [String: String] = [:]) throws -> ChildProcess {
    let child = try scene.start(
      ["agent"] + more, environment: using.merging(environment) { $1 })
    let line = child.read(until: "\n")
    if line != "\(path)\n" {
      let ending = child.end()
      try #require(line == "\(path)\n", "\(ending.errors)")
    }
    agent = child
    return child
  }

  /// Ends the agent by a signal, and waits for its end.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) throws -> ChildProcess.Ending {
    let child = try #require(agent)
    child.signal(signal)
    agent = nil
    return child.end()
  }

  /// Runs `gatebook`, which may use the agent.
  @discardableResult
  func run(
    _ line: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> ChildProcess.Ending {
    try scene.start(
      line, ChildProcess.Streams(input: input), environment: using.merging(environment) { $1 }
    ).end()
  }

  /// What the agent says of itself.
  func status() throws -> Facts {
    let ending = try run("agent", "status", "--json")
    try #require(ending.exit == 0, "\(ending.errors)")
    return try #require(JSONDocument.read(Array(ending.output.utf8))?.object)
  }

  /// How many calls and requests the agent has answered.
  func answers() throws -> Int64 {
    try (status()["programs"]?.list ?? []).compactMap { $0.object?["answers"]?.integer }
      .reduce(0, +)
  }

  /// What curl prints for a request to the agent's socket.
  func curl(_ line: String...) throws -> String {
    try Daemon(
      ["curl", "-s", "--max-time", "20", "--unix-socket", path] + line, ["PATH": "/usr/bin:/bin"]
    ).end().output
  }
}
