import Gatebook
import GatebookSystem
import Glibc
import Testing

extension FleetServer {
  /// Ends the server as a crash does, and starts it again on the same data and port.
  ///
  /// - Parameter isGone: Called while no server is there.
  /// - Throws: It does not end or start, or what the closure throws.
  func crash(while isGone: () throws -> Void = {}) throws {
    try stop()
    try isGone()
    try start()
  }

  /// Ends the server as a crash does.
  func stop() throws { try control("stop", "-m", "immediate") }

  /// Starts it again on the same data and port.
  func start() throws { try control("start", "-l", folder + "/log") }

  /// Starts it again if a test that failed has left it stopped.
  func startIfStopped() throws {
    guard try status(["status"]) != 0 else { return }
    try start()
  }

  private func control(_ words: String...) throws {
    try #require(try status(words) == 0, "pg_ctl \(words)")
  }

  /// The exit of pg_ctl.
  private func status(_ words: [String]) throws -> Int32? {
    let program = "/usr/lib/postgresql/15/bin/pg_ctl"
    let user =
      geteuid() == 0
      ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] : []
    let line = user + [program, "-w", "-D", folder + "/data"] + words
    let process = ChildProcess(
      "sh", ["sh", "-c", "cd / && exec \"$@\"", "sh"] + line,
      environment: ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C"],
      streams: [.nothing, .nothing, .nothing])
    return try #require(process).wait()?.code
  }
}

/// A small file system for a part of a server's data: only root can make one.
final class SmallDisk: Sendable {
  static let canBeMade = geteuid() == 0

  let path: String

  /// Makes one of so many megabytes that the user `postgres` may write to.
  init(megabytes: Int) throws {
    path = try #require(Files.makeTemporaryFolder(named: "gatebook-fleet-disk"))
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", path)
    try Self.run("chown", "postgres:", path)
  }

  deinit {
    try? Self.run("umount", "-l", path)
    Files.removeFolder(path)
  }

  /// Takes all the room that is left.
  func fill() throws {
    let file = try #require(OpenFile.open(path + "/filler", .new))
    let block = [UInt8](repeating: 0, count: 4096)
    while file.write(block) {}
    #expect(SystemError.last.isFullDisk)
  }

  /// Gives that room back.
  func empty() { Files.remove(path + "/filler") }

  private static func run(_ line: String...) throws {
    let process = try #require(ChildProcess(line[0], line))
    try #require(process.wait()?.code == 0, "\(line)")
  }
}
