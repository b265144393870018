internal import Foundation
internal import Testing

/// A server that the scripts below `tools/servers` start and stop, with its state in one folder.
final class ServerProcess {
  /// The folder of its scripts.
  enum Program: String {
    case apache, forge, kube, oauth1, oauth2, registry
  }

  /// All that it keeps.
  let folder: String
  private let program: Program
  private let environment: [String: String]
  private let isOwn: Bool
  private let addresses: [String: String]

  /// One that `tools/test` started and that all tests share.
  init(shared program: Program, in folder: String?) throws {
    self.program = program
    self.folder = try #require(folder, "\(TestServers.reason)")
    environment = [:]
    isOwn = false
    addresses = Self.addresses(
      in: try String(contentsOfFile: self.folder + "/addresses", encoding: .utf8))
  }

  /// One for a test alone, started with these variables beside those that a script needs.
  init(own program: Program, environment: [String: String]) throws {
    self.program = program
    self.environment = environment
    folder = try TestServers.folder(program.rawValue)
    isOwn = true
    addresses = Self.addresses(
      in: try Self.run(program, "start", in: folder, environment: environment))
  }

  deinit {
    if isOwn { try? stop() }
  }

  /// What its script calls one of the things that it offers, such as `base`.
  func address(_ name: String) throws -> String {
    try #require(addresses[name], "\(program.rawValue) has no address \(name)")
  }

  func stop() throws {
    try requireOwn()
    _ = try Self.run(program, "stop", in: folder, environment: environment)
  }

  /// Starts it where it was, with its state.
  func startAgain() throws {
    try requireOwn()
    let output = try Self.run(program, "start", in: folder, environment: environment)
    try #require(Self.addresses(in: output) == addresses)
  }

  /// Before anything that other tests would notice.
  func requireOwn() throws {
    try #require(isOwn, "others use it")
  }

  private static func addresses(in text: String) -> [String: String] {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    return Dictionary(
      uniqueKeysWithValues: lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) })
  }

  private static func run(
    _ program: Program, _ script: String, in folder: String, environment: [String: String]
  ) throws -> String {
    let result = try ChildProcess.run(
      "\(TestServers.sources)/tools/servers/\(program.rawValue)/\(script)", [folder],
      environment: TestServers.environment.merging(environment) { $1 })
    try #require(result.status == 0, "\(program.rawValue)/\(script): \(result.errors)")
    return result.output
  }
}
