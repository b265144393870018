internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What is left on the disk of a process that dies.
@Suite(
  .enabled(if: CoreDumps.arePossible, "This machine writes no core dumps into the folder."))
struct CoreDumpTests {
  @Test(arguments: [SIGABRT, SIGQUIT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP])
  func `gatebook leaves no core dump, whatever the shell allows`(_ signal: Int32) async throws {
    let scene = try Scene()
    scene.portal.inject(.stallBeforeActing, on: .invoke, times: nil)
    let child = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--user", "ada", "--password-stdin",
        "--timeout", "600",
      ],
      ChildProcess.Streams(
        input: "canary-password\n", shell: CoreDumps.script(scene, #"exec "$@""#)))
    let request = try #require(await scene.portal.requests(atLeast: 1).first)
    #expect(request.request.basicCredentials?.password == "canary-password")
    // It is no longer the shell.
    #expect(child.name == "gatebook")
    // Each of two settings is enough against the kernel; a program that is given dumps heeds the
    // limit alone.
    #expect(child.limits.contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") })
    child.signal(signal)
    try wait(for: "end of the process") { child.hasEnded }
    #expect(child.end().exit == -signal)
    #expect(CoreDumps.dumps(scene).isEmpty)
  }

  @Test func `a core dump of an app holds neither the book's key nor its secrets`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let child = try scene.start(
      [scene.book, try scene.keyFile()],
      ChildProcess.Streams(
        shell: CoreDumps.script(
          scene, #"program="${1%/*}/DumpedBook"; shift; exec "$program" "$@""#)))
    let ending = child.end()
    try #require(ending.exit == -SIGABRT, "\(ending.errors)")
    let core = try #require(CoreDumps.dumps(scene).first)
    let memory = try TextFile.bytes(core, what: "core dump", limit: 1 << 30)
    let byte = { (index: Int, salt: Int) in
      UInt8(truncatingIfNeeded: (index * index + salt) * 2_654_435_761 >> 13)
    }
    // Enough of each to be no chance.
    let shown = (0..<64).map { byte(1_000 + $0, 1) }
    let secret = (0..<64).map { byte(1_000 + $0, 2) }
    let hex = Array(try TextFile.bytes(try scene.keyFile(), what: "key", limit: 100).prefix(64))
    let key = try #require(Hex.decode(String(decoding: hex, as: UTF8.self)))
    #expect(Self.holds(memory, shown))
    #expect(!Self.holds(memory, secret))
    #expect(!Self.holds(memory, key))
    #expect(!Self.holds(memory, hex))
  }

  private static func holds(_ memory: [UInt8], _ bytes: [UInt8]) -> Bool {
    memory.withUnsafeBytes { memory in
      guard let start = memory.baseAddress, let first = bytes.first else { return false }
      var rest = memory.count - bytes.count
      var place = start
      while rest >= 0, let found = memchr(place, Int32(first), rest + 1) {
        if memcmp(found, bytes, bytes.count) == 0 { return true }
        place = UnsafeRawPointer(found) + 1
        rest = memory.count - bytes.count - (place - start)
      }
      return false
    }
  }
}

/// What a process leaves on the disk, in a folder where that is allowed.
private enum CoreDumps {
  /// Allows core dumps, in a folder of their own.
  static func script(_ scene: Scene, _ command: String) -> String {
    "mkdir -p \(scene.folder)/core; cd \(scene.folder)/core; ulimit -c unlimited; \(command)"
  }

  /// The core dumps in that folder.
  static func dumps(_ scene: Scene) -> [String] {
    guard let folder = opendir("\(scene.folder)/core") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append("\(scene.folder)/core/\(name)") }
    }
    return names
  }

  /// Whether a process that dies here leaves one.
  static let arePossible: Bool = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    guard limit.rlim_max > 0, let scene = try? Scene(),
      let shell = try? scene.start(
        [], ChildProcess.Streams(shell: script(scene, "kill -ABRT $$")))
    else { return false }
    return shell.end().exit == -SIGABRT && !dumps(scene).isEmpty
  }()
}
