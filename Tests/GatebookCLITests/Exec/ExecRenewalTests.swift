internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Tokens that are renewed while their program runs.
struct ExecRenewalTests {
  @Test(arguments: TokenWay.renewed)
  func `a token is renewed before it expires`(_ way: TokenWay) throws {
    let at = try ExecScene(lifetime: .seconds(4))
    let child = try at.start(way.options, way.untilRenewed)
    _ = child.read(until: "\n")
    at.server.settings.lifetime = .seconds(3600)
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == "renewed \(try at.token())\n")
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    #expect(try at.scene.kinds().count { $0 == "refresh.succeeded" } == 1)
  }

  @Test(arguments: TokenWay.renewed)
  func `a token that another process renewed reaches the program`(_ way: TokenWay) throws {
    let at = try ExecScene()
    let child = try at.start(way.options, way.untilRenewed)
    let first = child.read(until: "\n")
    #expect(try at.scene.run("refresh").exit == 0)
    let ending = child.end()
    #expect(first == "ready access-1\n")
    #expect(ending.output == "renewed \(try at.token())\n", "\(ending.errors)")
  }

  @Test(arguments: TokenWay.renewed)
  func `a failed renewal is reported once, and made good`(_ way: TokenWay) throws {
    let at = try ExecScene(lifetime: .seconds(4))
    let child = try at.start(way.options, way.untilRenewed)
    _ = child.read(until: "\n")
    at.server.stop()
    let message = child.nextError() + child.nextError() + child.nextError()
    #expect(message.contains("The token of the running program was not renewed."), "\(message)")
    #expect(message.contains("The program continues"), "\(message)")
    #expect(message.contains("Gatebook tries again"), "\(message)")
    at.server.settings.lifetime = .seconds(3600)
    try at.server.start()
    let ending = child.end()
    #expect(ending.output.hasPrefix("renewed access-"), "\(ending.errors)")
    #expect(!ending.errors.contains("was not renewed"), "\(ending.errors)")
  }

  @Test(arguments: TokenWay.renewed)
  func `the end of the session is reported with the login, after which the program has a token`(
    _ way: TokenWay
  ) throws {
    let at = try ExecScene()
    let child = try at.start(way.options, way.untilRenewed)
    _ = child.read(until: "\n")
    #expect(try at.scene.run("logout").exit == 0)
    let message = child.nextError() + child.nextError() + child.nextError()
    #expect(message.contains("The program continues"), "\(message)")
    #expect(message.contains("`gatebook login"), "\(message)")
    #expect(!child.hasEnded)
    try at.logIn()
    let ending = child.end()
    #expect(ending.exit == 0)
    #expect(ending.output == "renewed \(try at.token())\n", "\(ending.errors)")
  }

  @Test func `a killed renewal leaves the program its token, and the next run clears up`() throws {
    let at = try ExecScene()
    let child = try at.start(
      TokenWay.file.options, #"echo ready; read -r line; cat "$API_TOKEN_FILE""#,
      ChildProcess.Streams(hasMoreInput: true))
    _ = child.read(until: "\n")
    let renewer = try at.renewer()
    #expect(kill(renewer, SIGKILL) == 0)
    try wait(for: "end of the renewal") { ExecScene.text("cmdline", of: renewer).isEmpty }
    #expect(try at.leftovers().count == 1)
    // Its program still runs: the folder is in use.
    #expect(try at.start(TokenWay.file.options, "exit 5").end().exit == 5)
    #expect(try at.leftovers().count == 1)
    child.write("\n")
    let ending = child.end()
    #expect(ending.output == (try at.token()), "\(ending.errors)")
    #expect(try at.leftovers().count == 1)
    #expect(try at.start(TokenWay.file.options, "exit 5").end().exit == 5)
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `only what a run has left is removed`() throws {
    let at = try ExecScene()
    let others = ["gatebook-exec-", "gatebook-exec-x-1-abcdef", "gatebook-exec-1-1", "other"]
    for name in others { #expect(mkdir("\(at.runtime)/\(name)", 0o700) == 0) }
    #expect(symlink("other", "\(at.runtime)/gatebook-exec-1-1-abcdef") == 0)
    #expect(mkdir("\(at.runtime)/gatebook-exec-1-1-ABCDEF", 0o700) == 0)
    _ = try at.scene.script("")
    #expect(try at.start(TokenWay.file.options, "exit 5").end().exit == 5)
    #expect(try Set(at.leftovers()) == Set(others + ["gatebook-exec-1-1-abcdef"]))
  }

  @Test func `signals do not end the renewal before its program`() throws {
    let at = try ExecScene()
    let child = try at.start(TokenWay.file.options, TokenWay.file.untilRenewed)
    // The renewal may have only begun.
    var renewer: pid_t?
    try wait(for: "renewal") {
      renewer = try? at.renewer()
      return renewer != nil
    }
    let process = try #require(renewer)
    for signal in [SIGTERM, SIGINT, SIGHUP] { #expect(kill(process, signal) == 0) }
    #expect(ExecScene.ignored(by: process).isSuperset(of: [SIGTERM, SIGINT, SIGHUP]))
    _ = child.read(until: "\n")
    #expect(try at.scene.run("refresh").exit == 0)
    #expect(child.end().output == "renewed \(try at.token())\n")
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `while a program runs the book is free, also for its erasure`() throws {
    let at = try ExecScene()
    let child = try at.start(
      TokenWay.file.options, "echo ready; read -r line", ChildProcess.Streams(hasMoreInput: true))
    _ = child.read(until: "\n")
    let copy = "\(at.scene.folder)/2026.gatebook"
    #expect(try at.scene.run("archive", "-o", copy, "--wait", "0").exit == 0)
    #expect(try at.scene.run("erase", "work", "--yes", "--wait", "0").exit == 0)
    child.write("\n")
    #expect(child.end().exit == 0)
  }

  @Test func `the passphrase of a book is read once, also from a pipe`() throws {
    let at = try ExecScene()
    let file = try at.scene.secretFile("canary a b c\n")
    let known = ["GATEBOOK_PASSPHRASE_FILE": file]
    let moved = try at.scene.run("key", "move", "passphrase", environment: known)
    try #require(moved.exit == 0, "\(moved.errors)")
    let child = try at.start(
      TokenWay.file.options, TokenWay.file.untilRenewed,
      ChildProcess.Streams(
        shell: "GATEBOOK_PASSPHRASE_FILE=/dev/fd/5 exec \"$@\" 5<<'E'\ncanary a b c\nE"))
    _ = child.read(until: "\n")
    let refreshed = try at.scene.run("refresh", environment: known)
    #expect(refreshed.exit == 0, "\(refreshed.errors)")
    let renewer = try at.renewer()
    #expect(!ExecScene.text("cmdline", of: renewer).contains("canary"))
    let ending = child.end()
    #expect(ending.output.hasPrefix("renewed access-"), "\(ending.errors)")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a file in memory shows the old content, nothing or the new content`() async throws {
    let file = try #require(OpenFile.inMemory(named: "token"))
    let reader = try #require(file.readable)
    let contents = [
      [UInt8](repeating: 0x61, count: 3_000), [UInt8](repeating: 0x62, count: 700),
      [UInt8](repeating: 0x63, count: 1),
    ].map { $0 + [UInt8](repeating: 0x0A, count: 3_000 - $0.count) }
    try #require(file.replace(by: contents[0]))
    let isOver = Locked(false)
    let thread = try PosixThread {
      for round in 1...100_000 {
        let text = contents[round % 3].prefix { $0 != 0x0A }
        _ = file.replace(by: Array(text))
      }
      isOver.withLock { $0 = true }
    }
    var (whole, torn) = (0, 0)
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while !isOver.withLock({ $0 }) {
      let count = pread(reader.descriptor, &buffer, buffer.count, 0)
      if count == 0 { continue }
      let isWhole = contents.contains(Array(buffer[..<max(0, count)]))
      if isWhole { whole += 1 } else { torn += 1 }
    }
    thread.join()
    #expect(torn == 0)
    #expect(whole > 0)
  }
}
