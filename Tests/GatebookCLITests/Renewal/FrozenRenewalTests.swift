internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Rule 3 for a stopped process: its lock is never taken, and it does no harm when it continues.
struct FrozenRenewalTests {
  @Test func `one that wakes with a spent token takes over the newer one`() throws {
    let scene = try Scene()
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    let account = try HeldByte(HeldByte.firstAccount, of: scene.book)
    let watch = try LockWatch(scene.book)
    let sleeper = try scene.startToken(["--wait", "120"])
    // It has read the token, and has found the account's lock taken. It then looks once whether
    // there is a newer token, and waits: let it come so far. Wherever it is met, it must do the
    // same.
    try watch.next()
    _ = poll(nil, 0, 5)
    try sleeper.freeze()
    account.release()
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(try scene.run("refresh").exit == 0)
    #expect(scene.refreshCount == sent + 2)
    sleeper.signal(SIGCONT)
    let ending = sleeper.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 2)
    #expect(
      try scene.kinds(after: before) == [
        "refresh.started", "refresh.succeeded", "refresh.started", "refresh.succeeded",
      ])
  }

  @Test func `one that wakes after its session has ended sends nothing`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    let sent = scene.refreshCount
    let account = try HeldByte(HeldByte.firstAccount, of: scene.book)
    let watch = try LockWatch(scene.book)
    let sleeper = try scene.startToken(["--wait", "120"])
    try watch.next()
    _ = poll(nil, 0, 5)
    try sleeper.freeze()
    account.release()
    #expect(try scene.run("logout").exit == 0)
    sleeper.signal(SIGCONT)
    let ending = sleeper.end()
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(scene.refreshCount == sent)
  }

  @Test func `a process that is stopped with the answer keeps its lock`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    let sleeper = try freezeWithAnswer(scene, ["token"])
    for _ in 1...2 {
      let other = try scene.run("token", "--wait", "1", "--json")
      #expect(other.exit == 6, "\(other.errors)")
      #expect(other.errors.contains("`--wait S` waits longer."), "\(other.errors)")
      #expect(other.errors.contains(#""code":"storage.busy""#), "\(other.errors)")
      #expect(other.output.isEmpty)
    }
    #expect(try scene.kinds(after: before) == ["refresh.started"])
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    sleeper.signal(SIGCONT)
    let ending = sleeper.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()))
    #expect(try scene.run("token").output == ending.output)
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }

  @Test func `one that sleeps past its time limit takes the answer that came meanwhile`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    let sent = scene.refreshCount
    let sleeper = try freezeWithAnswer(scene, ["refresh", "--timeout", "2"])
    // Its clock runs while it is stopped: real time must pass here.
    _ = poll(nil, 0, 2100)
    sleeper.signal(SIGCONT)
    let ending = sleeper.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.run("token").output == (try scene.liveToken()))
  }

  @Test func `while a process is stopped with the answer, others use the valid token`()
    throws
  {
    let scene = try Scene()
    try scene.logInForTokens()
    let before = try scene.kinds().count
    let old = try scene.liveToken()
    let sleeper = try freezeWithAnswer(scene, ["refresh"])
    #expect(try scene.run("token", "--wait", "1").output == old)
    // Who wants more than it has must wait.
    let greedy = try scene.run("token", "--min-lifetime", "700", "--wait", "1")
    #expect(greedy.exit == 6, "\(greedy.errors)")
    sleeper.signal(SIGCONT)
    #expect(sleeper.end().exit == 0)
    #expect(try scene.liveToken() != old)
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }

  @Test func `a process that is stopped while it writes only makes the book busy`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let sleeper = try scene.startToken(["--wait", "120"])
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    try wait(for: "waiting writer") { writer.isTaken(0) }
    try sleeper.freeze()
    writer.release()
    // It holds the turnstile; who only reads does not need it.
    let other = try scene.run("token", "--wait", "1")
    #expect(other.exit == 6, "\(other.errors)")
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    sleeper.signal(SIGCONT)
    let ending = sleeper.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.kinds(after: before) == ["refresh.started", "refresh.succeeded"])
  }

  /// Starts a command that renews, and stops it after the portal has acted, before it can write the
  /// answer, which then lies on its doorstep.
  private func freezeWithAnswer(_ scene: Scene, _ line: [String]) throws -> ChildProcess {
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let child = try scene.start(line)
    try scene.wait(forRefreshes: sent + 1)
    try child.freeze()
    return child
  }
}
