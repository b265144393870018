internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Rule 2: what becomes of a session whose renewal was killed, at each point of its way.
struct KilledRenewalTests {
  /// Where the renewal is when it is killed.
  enum Point: String, CaseIterable {
    /// It waits for its turn to write that it begins.
    case beforeIntent
    /// It has written that, and no byte has left.
    case beforeRequest
    /// The server has the request, and has not acted on it.
    case beforeServerActs
    /// The server has replaced the token, and nobody was told.
    case beforeAnswer
    /// The answer has come, and waits for its turn to be written.
    case beforeCommit
    /// It is written, and not yet printed.
    case afterCommit

    /// What the killed process leaves in the log.
    var left: [String] {
      switch self {
      case .beforeIntent: []
      case .afterCommit: ["refresh.started", "refresh.succeeded"]
      case .beforeRequest, .beforeServerActs, .beforeAnswer, .beforeCommit: ["refresh.started"]
      }
    }

    /// Whether the new tokens are lost, and the old refresh token is spent.
    var losesTokens: Bool { self == .beforeAnswer || self == .beforeCommit }
  }

  /// What there is to fall back on.
  enum Rescue: String, CaseIterable {
    case nothing
    /// The person allowed Gatebook to log in again automatically.
    case savedCredentials
    /// The portal takes a replaced refresh token for another minute.
    case grace
  }

  @Test(arguments: Point.allCases, Rescue.allCases)
  func `the next process continues where a killed renewal stopped`(
    _ point: Point, _ rescue: Rescue
  ) throws {
    let scene = try Scene()
    if rescue == .grace { scene.portal.switches.refreshTokenGrace = .seconds(60) }
    try scene.logInForTokens(rescue == .savedCredentials ? ["--save-credentials"] : [])
    try scene.expire()
    let before = try scene.kinds().count
    let sent = scene.refreshCount
    try killRenewal(at: point, scene, after: before)
    #expect(try scene.kinds(after: before) == point.left)
    // Every reader says so at once, before anybody writes it.
    for reader in ["whoami", "accounts"] {
      let isUncertain = try scene.run(reader, "--json").output.contains(#""state":"uncertain""#)
      #expect(isUncertain == (point.left == ["refresh.started"]), "\(reader)")
    }
    let next = try scene.run("token")
    let kinds = try scene.kinds(after: before + point.left.count)
    if point.losesTokens, rescue != .grace {
      #expect(
        kinds.prefix(4) == [
          "session.uncertain", "refresh.started", "refresh.failed", "session.ended",
        ])
      try expectHonestEnd(scene, next, rescue, Array(kinds.dropFirst(4)))
    } else {
      #expect(next.exit == 0, "\(next.errors)")
      #expect(next.output == (try scene.liveToken()))
      switch point {
      case .afterCommit: #expect(kinds == [])
      case .beforeIntent: #expect(kinds == ["refresh.started", "refresh.succeeded"])
      case .beforeRequest, .beforeServerActs, .beforeAnswer, .beforeCommit:
        #expect(kinds == ["session.uncertain", "refresh.started", "refresh.succeeded"])
      }
    }
    // The one that was killed, and the next one: a refresh token is never sent a third time.
    let isSentByKilled = point != .beforeIntent && point != .beforeRequest
    let isSentByNext = point != .afterCommit
    #expect(scene.refreshCount == sent + (isSentByKilled ? 1 : 0) + (isSentByNext ? 1 : 0))
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  /// The tokens are lost: saved credentials log in, or the reason is printed.
  private func expectHonestEnd(
    _ scene: Scene, _ next: ChildProcess.Ending, _ rescue: Rescue, _ kinds: [String]
  ) throws {
    guard rescue == .savedCredentials else {
      #expect(next.exit == 3)
      #expect(next.output.isEmpty)
      #expect(kinds.isEmpty)
      let account = try scene.run("whoami", "--json").output
      #expect(account.contains(#""state":"needsLogin""#))
      #expect(account.contains(#""reason":"refusedAfterUnknownOutcome""#))
      let last = try scene.run("log", "--json", "--limit", "1").output
      #expect(last.contains(#""reason":"refusedAfterUnknownOutcome""#), "\(last)")
      let count = scene.refreshCount
      #expect(try scene.run("token").exit == 3)
      #expect(scene.refreshCount == count)
      return
    }
    #expect(next.exit == 0, "\(next.errors)")
    #expect(next.output == (try scene.liveToken()))
    #expect(kinds.prefix(3) == ["login.started", "credentials.loaded", "login.succeeded"])
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
  }

  private func killRenewal(at point: Point, _ scene: Scene, after before: Int) throws {
    switch point {
    case .beforeIntent: try killBeforeIntent(scene)
    case .beforeRequest: try killBeforeRequest(scene, before)
    case .beforeServerActs: try killStalled(scene, hasActed: false)
    case .beforeAnswer: try killStalled(scene, hasActed: true)
    case .beforeCommit: try killBeforeCommit(scene)
    case .afterCommit: try killAfterCommit(scene, before)
    }
  }

  private func kill(_ child: ChildProcess) {
    child.signal(SIGKILL)
    #expect(child.end().exit == -SIGKILL)
  }

  /// The process may write when it opens the book, but not again.
  private func killBeforeIntent(_ scene: Scene) throws {
    let watch = try LockWatch(scene.book)
    let account = try HeldByte(HeldByte.firstAccount, of: scene.book)
    let child = try scene.startToken(["--wait", "120"])
    // The book is open: it tries to take the account's lock.
    try watch.next()
    let writer = try HeldByte(1, of: scene.book)
    account.release()
    try wait(for: "waiting writer") { writer.isTaken(0) }
    kill(child)
    writer.release()
  }

  private func killBeforeRequest(_ scene: Scene, _ before: Int) throws {
    scene.portal.stop()
    let queue = try FullQueue(at: scene.portal.port)
    let child = try scene.startToken()
    try scene.wait(for: "refresh.started", after: before)
    kill(child)
    queue.end()
    try scene.portal.start()
  }

  private func killStalled(_ scene: Scene, hasActed: Bool) throws {
    let sent = scene.refreshCount
    let tokens = scene.portal.secretsIssued.count
    scene.portal.inject(hasActed ? .stallAfterActing : .stallBeforeActing, on: .token)
    let child = try scene.startToken()
    try scene.wait(forRefreshes: sent + 1)
    if hasActed {
      try wait(for: "new token") { scene.portal.secretsIssued.count > tokens }
    }
    kill(child)
  }

  private func killBeforeCommit(_ scene: Scene) throws {
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let child = try scene.startToken(["--wait", "120"])
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    // It holds the answer and waits at the turnstile.
    try wait(for: "waiting writer") { writer.isTaken(0) }
    kill(child)
    writer.release()
  }

  private func killAfterCommit(_ scene: Scene, _ before: Int) throws {
    let child = try scene.startToken([], ChildProcess.Streams(hasFullOutput: true))
    try scene.wait(for: "refresh.succeeded", after: before)
    kill(child)
  }
}
