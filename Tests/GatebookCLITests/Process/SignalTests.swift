internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal cancels a login that waits: 130, and the log says so`(_ signal: Int32) async throws
  {
    let scene = try Scene()
    scene.portal.inject(.stallBeforeActing, on: .invoke, times: nil)
    let child = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin",
        // Only the signal may end it, however late a busy machine sends that.
        "--timeout", "600",
      ], ChildProcess.Streams(input: FakePortalUser.ada.password + "\n"))
    _ = await scene.portal.requests(atLeast: 1)
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(try scene.run("log", "--json").output.contains(#""kind":"login.cancelled""#))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  private static let patience =
    "Waiting for the server's answer to a renewal: without it, the session could be lost. Press Ctrl-C "
    + "again to stop at once.\n"

  /// Cancels a process that waits for the answer to a renewal, and has heard that it waits on.
  private func cancelRenewal(
    _ scene: Scene, _ door: Door, _ signals: [Int32] = [SIGINT]
  ) throws -> ChildProcess {
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    scene.portal.inject(door.fault, on: .token)
    let child = try scene.startToken()
    try scene.wait(forRefreshes: sent + 1)
    for signal in signals { child.signal(signal) }
    #expect(child.nextError() == Self.patience)
    return child
  }

  @Test func `a caller who cancelled learns that an answer ended the session`() throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    let refusal = door.fault { _ in .json(#"{"error":"invalid_grant"}"#, status: 400) }
    scene.portal.inject(refusal, on: .token)
    let child = try scene.startToken()
    try scene.wait(forRefreshes: sent + 1)
    child.signal(SIGINT)
    #expect(child.nextError() == Self.patience)
    door.open()
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(ending.errors.contains("Its session ended with the renewal"), "\(ending.errors)")
    #expect(try scene.kinds().last == "session.ended")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `who only waits for another process's renewal ends at once`(_ signal: Int32) throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    scene.portal.inject(door.fault, on: .token)
    let holder = try scene.startToken()
    try scene.wait(forRefreshes: sent + 1)
    let watch = try LockWatch(scene.book)
    let child = try scene.startToken(["--wait", "3600"])
    try watch.next()
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(!ending.errors.contains("Waiting for"), "\(ending.errors)")
    door.open()
    #expect(holder.end().exit == 0)
    #expect(scene.refreshCount == sent + 1)
  }

  @Test(
    arguments: [
      ["erase", "ada", "--yes"], ["switch", "ada"], ["rename", "ada", "eve"],
      ["key", "move", "passphrase", "--password-stdin"], ["credentials", "remove"], ["logout"],
      ["logout", "--all"], ["rebuild"], ["restore"], ["trust", "list"],
    ])
  func `who waits for a busy book ends at once, and nothing is done`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben", mode: "cookie", "--save-credentials")
    let log = try scene.run("log", "--json").output
    let writer = try HeldByte(1, of: scene.book)
    let child = try scene.start(
      line + ["--wait", "3600"], ChildProcess.Streams(input: "a b c d\na b c d\n"))
    // It waits when it holds the turnstile.
    try wait(for: "waiting command") { writer.isTaken(0) }
    child.signal(SIGINT)
    let ending = child.end()
    writer.release()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.errors.contains("Nothing was changed."), "\(ending.errors)")
    #expect(try scene.run("log", "--json").output == log)
    #expect(try scene.run("verify").exit == 0)
  }

  @Test func `who quits ends the program at once`() throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    let child = try cancelRenewal(scene, door)
    child.signal(SIGQUIT)
    #expect(child.end().exit == -SIGQUIT)
  }

  @Test func `a caller who cancels a renewal learns why the program waits, and its answer is kept`()
    throws
  {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    let child = try cancelRenewal(scene, door)
    door.open()
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(try scene.kinds().last == "refresh.succeeded")
    #expect(try scene.run("token").output == scene.liveToken())
  }

  @Test func `a second Ctrl-C does not wait for the answer`() throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    let child = try cancelRenewal(scene, door)
    child.signal(SIGINT)
    #expect(child.end().exit == 130)
    #expect(try scene.kinds().last == "refresh.started")
  }

  @Test func `a signal that comes twice at once, as timeout sends it, is one`() throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    let child = try cancelRenewal(scene, door, [SIGTERM, SIGTERM, SIGTERM])
    door.open()
    #expect(child.end().exit == 130)
    #expect(try scene.kinds().last == "refresh.succeeded")
  }

  @Test func `a reader that went away ends a listing quietly`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.start(["log"], ChildProcess.Streams(hasNoReader: true)).end()
    #expect(ending.exit == 0)
    #expect(ending.errors.isEmpty)
  }
}
