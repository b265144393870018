internal import Foundation
internal import Testing

/// A real Apache on loopback.
final class ApacheServer {
  let base: String
  private let folder: String
  private let isOwn: Bool

  /// The one that all tests share; it must not be stopped.
  static func shared() throws -> ApacheServer {
    ApacheServer(base: try #require(TestServers.apache), folder: "", isOwn: false)
  }

  /// One for a test alone, which may stop it and start it again.
  static func own() throws -> ApacheServer {
    let folder = try TestServers.folder("apache")
    return ApacheServer(base: try start(in: folder), folder: folder, isOwn: true)
  }

  private init(base: String, folder: String, isOwn: Bool) {
    self.base = base
    self.folder = folder
    self.isOwn = isOwn
  }

  deinit {
    if isOwn { try? stop() }
  }

  func stop() throws {
    try #require(isOwn, "others use it")
    _ = try Self.script("stop", folder)
  }

  /// Starts it where it was.
  func startAgain() throws {
    try #require(try Self.start(in: folder) == base)
  }

  /// Gives a user another password, behind everybody's back.
  func changePassword(of user: String) throws {
    try #require(isOwn, "others use it")
    let result = try ChildProcess.run(
      "htpasswd", ["-i", "-5", folder + "/htpasswd", user],
      environment: ["PATH": "/usr/bin:/bin"], input: "changed-\(user)\n")
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func start(in folder: String) throws -> String {
    let lines = try script("start", folder).split(separator: "\n")
    return String(try #require(lines.first))
  }

  private static func script(_ name: String, _ folder: String) throws -> String {
    let result = try ChildProcess.run(
      "\(TestServers.sources)/tools/servers/apache/\(name)", [folder],
      environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    try #require(result.status == 0, "\(name): \(result.errors)")
    return result.output
  }
}
