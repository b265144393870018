internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `--key secret-service` and `automatic`, with a keyring of the test's own.
struct KeyringTests {
  /// What can prevent storing a key in the keyring.
  enum Trouble: String, CaseIterable {
    case noSession, deadBus, noKeyring, locked, hidden, vanished, foreign, garbled, silent

    var code: FailureCode {
      switch self {
      case .locked, .hidden: .keyLocked
      case .foreign, .garbled: .keyWrong
      case .noSession, .deadBus, .noKeyring, .vanished, .silent: .keyMissing
      }
    }

    /// What no other message has.
    var words: String {
      switch self {
      case .noSession: "There is no desktop session, so"
      case .deadBus: "The desktop session cannot be reached"
      case .noKeyring: "There is no keyring in this desktop session."
      case .locked, .hidden: "The desktop's keyring is locked."
      case .vanished: "The keyring has no key for this book."
      case .foreign: "The key in the keyring is not this book's key."
      case .garbled: "The keyring's entry for this book is not a key."
      case .silent: "The keyring did not answer within 1 s."
      }
    }

    /// Brings it about.
    func strike(_ desktop: Desktop, _ book: String) throws {
      switch self {
      case .noSession: break
      case .deadBus: desktop.stopBus()
      case .noKeyring: desktop.stop()
      case .locked: try desktop.lock()
      case .hidden:
        // As a keyring is that shows nothing of what is locked.
        try desktop.clear()
        try desktop.lock()
      case .vanished: try desktop.clear()
      case .foreign: try desktop.put(String(repeating: "A", count: 43) + "=", for: book)
      case .garbled: try desktop.put("open sesame", for: book)
      case .silent: try desktop.freeze()
      }
    }
  }

  /// Logs Ada in within a session.
  @discardableResult
  static func logIn(
    _ scene: Scene, _ desktop: Desktop, _ more: [String] = []
  ) throws -> ChildProcess.Ending {
    let ending = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin", "--label", "ada",
      ] + more, ChildProcess.Streams(input: FakePortalUser.ada.password + "\n"),
      environment: desktop.environment
    ).end()
    try #require(ending.exit == 0, "\(ending.errors)")
    return ending
  }

  @Test func `a new book's key goes to the keyring that answers, and the output says so`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    let made = try Self.logIn(scene, desktop)
    let id = try BookReader.open(at: scene.book).id
    #expect(made.errors.contains("in the desktop keyring, as “Gatebook: key of book \(id)”"))
    let items = try desktop.items()
    #expect(items.contains("label = Gatebook: key of book \(id)"), "\(items)")
    // Found by its attributes; text that every keyring can keep: 32 bytes in Base64.
    #expect(try desktop.secret(of: id.description).utf8.count == 44)
    #expect(access(try scene.keyFile(), F_OK) != 0)
    for key in ["automatic", "secret-service"] {
      let whoami = try scene.run(
        "whoami", "--json", "--key", key, environment: desktop.environment)
      #expect(whoami.output.contains(#""label":"ada""#), "\(whoami.errors)")
    }
    let doctor = try scene.run("doctor", environment: desktop.environment)
    #expect(doctor.exit == 0, "\(doctor.output)")
    #expect(doctor.output.contains("The book's key is in the desktop keyring, as"))
  }

  @Test(arguments: [Desktop.Keyring.absent, .empty, .locked])
  func `a new book's key goes to a file where no keyring takes it, and the output says why`(
    _ state: Desktop.Keyring
  ) throws {
    let scene = try Scene()
    let desktop = try Desktop(scene, state)
    let made = try Self.logIn(scene, desktop)
    let file = try scene.keyFile()
    #expect(access(file, F_OK) == 0)
    #expect(made.errors.contains("its key is \(file)."), "\(made.errors)")
    let reason =
      switch state {
      case .absent: "There is no keyring in this desktop session."
      case .empty: "The keyring has no default collection for the key."
      case .locked, .open: "The desktop's keyring is locked."
      }
    #expect(made.errors.contains("not in the desktop keyring: \(reason)"), "\(made.errors)")
    // It was decided once: a keyring that comes later changes nothing.
    if state == .absent { try desktop.start() }
    let later = try scene.run("restore", "--json", environment: desktop.environment)
    #expect(later.exit == 0, "\(later.errors)")
    #expect(try desktop.items().isEmpty)
  }

  @Test(arguments: [Desktop.Keyring.absent, .empty, .locked])
  func `a keyring that was named is never replaced by a file`(_ state: Desktop.Keyring) throws {
    let scene = try Scene()
    let desktop = try Desktop(scene, state)
    let ending = try scene.run(
      "login", "http", "--url", scene.portal.url + "/", "--user", "ada", "--password-stdin",
      "--key", "secret-service", "--json", input: "x\n", environment: desktop.environment)
    #expect(ending.exit == 7, "\(ending.errors)")
    let code: FailureCode = state == .locked ? .keyLocked : .keyMissing
    #expect(ending.errors.contains(#""code":"\#(code)""#), "\(ending.errors)")
    #expect(ending.errors.contains("No book was created."))
    #expect(access(scene.book, F_OK) != 0)
    #expect(access("\(scene.folder)/config/gatebook/keys", F_OK) != 0)
  }

  @Test(arguments: Trouble.allCases)
  func `a key that the keyring does not give is named for what it is, and nothing is lost`(
    _ trouble: Trouble
  ) throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    try Self.logIn(scene, desktop)
    try trouble.strike(desktop, try BookReader.open(at: scene.book).id.description)
    let environment = trouble == .noSession ? [:] : desktop.environment
    let ending = try scene.run("restore", "--json", "--wait", "1", environment: environment)
    #expect(ending.exit == 7, "\(ending.errors)")
    #expect(ending.errors.contains(#""code":"\#(trouble.code)""#), "\(ending.errors)")
    #expect(ending.errors.contains(trouble.words), "\(ending.errors)")
    for field in ["kept", "remedy"] {
      #expect(ending.errors.contains("\"\(field)\":\""), "\(ending.errors)")
      #expect(!ending.errors.contains("\"\(field)\":\"\""), "\(ending.errors)")
    }
    let sealed = try scene.run("whoami", "--json", "--wait", "1", environment: environment)
    #expect(sealed.exit == 0, "\(sealed.errors)")
    #expect(sealed.output.contains(#""label":"sealed""#))
    let doctor = try scene.run("doctor", "--json", "--wait", "1", environment: environment)
    #expect(doctor.exit == 1)
    let line = try #require(
      doctor.output.split(separator: "\n").first { $0.contains(#""subject":"key""#) })
    #expect(line.contains(#""grade":"bad""#) && line.contains("in the desktop keyring"))
    #expect(line.contains(trouble.words) && line.contains(#""remedy":"#), "\(line)")
    guard trouble == .silent else { return }
    desktop.thaw()
    let again = try scene.run("restore", "--json", environment: desktop.environment)
    #expect(again.exit == 0, "\(again.errors)")
  }

  /// Starts a command that waits for a keyring that does not answer.
  private func waiting(_ scene: Scene, _ desktop: Desktop) throws -> ChildProcess {
    try Self.logIn(scene, desktop)
    try desktop.freeze()
    let before = try desktop.connections()
    let child = try scene.start(
      ["restore", "--json", "--wait", "60"], environment: desktop.environment)
    try wait(for: "connection of the command") { try desktop.connections() > before }
    return child
  }

  @Test(arguments: [true, false])
  func `a keyring that dies while it is asked is missing, and ends no program`(
    _ isBusToo: Bool
  ) throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    let child = try waiting(scene, desktop)
    if isBusToo { desktop.stopBus() } else { desktop.stop() }
    let ending = child.end()
    #expect(ending.exit == 7, "\(ending.errors)")
    #expect(ending.errors.contains(#""code":"key.missing""#), "\(ending.errors)")
  }

  @Test func `a command that waits for the keyring can be cancelled`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    let child = try waiting(scene, desktop)
    child.signal(SIGINT)
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
  }
}
