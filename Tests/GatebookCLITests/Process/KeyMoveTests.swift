internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook key move`, with a keyring of the test's own.
struct KeyMoveTests {
  /// Where a key can live.
  enum Place: String {
    case usual, named, passphrase, keyring

    /// A way that takes each of the twelve pairs once.
    static let allWays: [Place] = [
      .named, .usual, .passphrase, .usual, .keyring, .named, .passphrase, .named, .keyring,
      .passphrase, .keyring, .usual,
    ]

    func source(_ scene: Scene) -> String {
      switch self {
      case .usual: "file"
      case .named: "file:\(scene.folder)/own.key"
      case .passphrase: "passphrase"
      case .keyring: "secret-service"
      }
    }

    var kind: String {
      switch self {
      case .usual, .named: "file"
      case .passphrase: "passphrase"
      case .keyring: "secret-service"
      }
    }
  }

  private static let passphrase = "correct horse"

  private func whoami(_ scene: Scene, _ desktop: Desktop) throws -> ChildProcess.Ending {
    let file = "\(scene.folder)/passphrase"
    if access(file, F_OK) != 0 {
      try TextFile.write(Array("\(Self.passphrase)\n".utf8), to: file)
      chmod(file, 0o600)
    }
    return try scene.run(
      "whoami", "--json",
      environment: desktop.environment.merging(["GATEBOOK_PASSPHRASE_FILE": file]) { $1 })
  }

  /// Which places have the key, as far as they show it.
  private func holders(_ scene: Scene, _ desktop: Desktop) throws -> Set<Place> {
    var holders: Set<Place> = []
    if access(try scene.keyFile(), F_OK) == 0 { holders.insert(.usual) }
    if try !desktop.items().isEmpty { holders.insert(.keyring) }
    return holders
  }

  @Test func `a key moves between all places, and the former one has it no more`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    try scene.logIn(.ada, label: "ada")
    let checkpoint = "\(scene.folder)/checkpoint"
    #expect(try scene.run("checkpoint", "-o", checkpoint).exit == 0)
    var from = Place.usual
    for to in Place.allWays {
      // The passphrase of now, if there is one, then the new one, if there is one.
      let ending = try scene.run(
        "key", "move", to.source(scene), "--password-stdin", "--json",
        input: "\(Self.passphrase)\n\(Self.passphrase)\n", environment: desktop.environment)
      #expect(ending.exit == 0, "\(from) to \(to): \(ending.errors)")
      #expect(
        ending.output.hasPrefix(#"{"from":"\#(from.kind)","to":"\#(to.kind)","moved":true"#),
        "\(ending.output)")
      #expect(ending.output.contains("own.key") == (from == .named), "\(ending.output)")
      #expect(try BookReader.open(at: scene.book).keySource == to.kind)
      #expect(try holders(scene, desktop) == Set([to]).subtracting([.named, .passphrase]))
      let whoami = try whoami(scene, desktop)
      #expect(whoami.output.contains(#""label":"ada""#), "\(from) to \(to): \(whoami.errors)")
      from = to
    }
    let log = try scene.run("log", "--kind", "key.changed", "--json").output.split(separator: "\n")
    #expect(log.count == Place.allWays.count)
    #expect(log.first?.contains(#""data":{"from":"file","to":"file"}"#) == true)
    #expect(log.last?.contains(#""data":{"from":"secret-service","to":"file"}"#) == true)
    let shown = try scene.run("log", "--kind", "key.changed").output
    #expect(shown.contains("from=file to=“another file”\n"), "\(shown)")
    #expect(!shown.contains("from=file to=file"))
    // Moves tell where the key is: no opening has to say it again.
    #expect(try scene.run("log", "--kind", "book.opened", "--json").output.isEmpty)
    // A checkpoint that was kept from before is still good.
    #expect(try scene.run("verify", "--against", checkpoint).exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  @Test func `a key that is there already stays, and nothing is recorded`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    try KeyringTests.logIn(scene, desktop)
    let log = try scene.run("log", "--json").output
    for source in ["secret-service", "automatic"] {
      let ending = try scene.run("key", "move", source, environment: desktop.environment)
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output.contains("as recorded in the book"), "\(ending.output)")
    }
    #expect(try scene.run("log", "--json").output == log)
    #expect(try whoami(scene, desktop).output.contains(#""label":"ada""#))
  }

  @Test(arguments: [Desktop.Keyring.absent, .locked])
  func `a keyring that cannot take the key leaves it where it was`(
    _ state: Desktop.Keyring
  ) throws {
    let scene = try Scene()
    let desktop = try Desktop(scene, state)
    try scene.logIn(.ada, label: "ada")
    let log = try scene.run("log", "--json").output
    let ending = try scene.run(
      "key", "move", "secret-service", "--json", environment: desktop.environment)
    #expect(ending.exit == 7, "\(ending.errors)")
    #expect(ending.errors.contains("The key was not moved."), "\(ending.errors)")
    #expect(try scene.run("log", "--json").output == log)
    #expect(try scene.run("whoami", "--json").output.contains(#""label":"ada""#))
    // The best that there is, is a file: it is there already.
    let automatic = try scene.run("key", "move", "automatic", environment: desktop.environment)
    #expect(automatic.exit == 0, "\(automatic.errors)")
    #expect(automatic.errors.contains("not in the desktop keyring"), "\(automatic.errors)")
  }

  @Test func `a former place that cannot remove the key is reported, and asked again`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    try KeyringTests.logIn(scene, desktop)
    // A copy opens the book though the keyring cannot be reached: the way out of a lost keyring.
    let copy = "\(scene.folder)/copy.key"
    _ = try scene.run("key", "move", "file:\(copy)", environment: desktop.environment)
    _ = try scene.run("key", "move", "secret-service", environment: desktop.environment)
    desktop.stop()
    let moved = try scene.run(
      "key", "move", "file", "--key", "file:\(copy)", "--json", environment: desktop.environment)
    #expect(moved.exit != 0, "\(moved.output)")
    #expect(moved.output.contains(#""moved":true"#), "\(moved.errors)")
    #expect(moved.errors.contains("was moved"), "\(moved.errors)")
    #expect(try whoami(scene, desktop).output.contains(#""label":"ada""#))
    let doctor = try scene.run("doctor", environment: desktop.environment)
    #expect(doctor.output.contains("old place (secret-service)"), "\(doctor.output)")
    #expect(doctor.output.contains("`gatebook key move file`"), "\(doctor.output)")
    try desktop.start()
    #expect(try !desktop.items().isEmpty)
    let again = try scene.run("key", "move", "file", environment: desktop.environment)
    #expect(again.exit == 0, "\(again.errors)")
    #expect(try desktop.items().isEmpty)
    let healthy = try scene.run("doctor", environment: desktop.environment)
    #expect(!healthy.output.contains("old place"), "\(healthy.output)")
  }

  @Test func `a move that is killed anywhere leaves a book that opens, and can be ended`() throws {
    let scene = try Scene()
    let desktop = try Desktop(scene)
    try scene.logIn(.ada, label: "ada")
    for round in 0..<12 {
      let to = round.isMultiple(of: 2) ? Place.keyring : .usual
      let child = try scene.start(
        ["key", "move", to.source(scene)], environment: desktop.environment)
      // Where this hits does not matter: every point must hold.
      _ = poll(nil, 0, Int32(4 * round + 2))
      child.signal(SIGKILL)
      _ = child.end()
      let opened = try whoami(scene, desktop)
      #expect(opened.output.contains(#""label":"ada""#), "\(round): \(opened.errors)")
      let ended = try scene.run(
        "key", "move", to.source(scene), environment: desktop.environment)
      #expect(ended.exit == 0, "\(round): \(ended.errors)")
      #expect(try holders(scene, desktop) == [to], "\(round)")
    }
    #expect(try scene.run("verify").exit == 0)
  }

  @Test(arguments: ["none", "file:", "elsewhere", ""])
  func `a place that is none is refused`(_ source: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    #expect(try scene.run("key", "move", source).exit == 2)
  }

  @Test func `a key file is recorded by its whole path`() throws {
    let folder = try #require(getcwd(nil, 0))
    defer { free(folder) }
    #expect(FilePath.whole("keys/own") == "\(String(cString: folder))/keys/own")
    #expect(FilePath.whole("/keys/own") == "/keys/own")
  }

  @Test func `a new passphrase is typed twice, and may replace the former one`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["key", "move", "passphrase"], ChildProcess.Streams(terminal: terminal.path))
    for question in ["New passphrase of the book: ", "The passphrase again: "] {
      let asked = terminal.read(until: question)
      try #require(asked.hasSuffix(question), "\(asked)")
      terminal.write("first horse\n")
    }
    _ = terminal.read(until: "behind a passphrase")
    terminal.drain()
    #expect(child.end().exit == 0)
    let changed = try scene.run(
      "key", "move", "passphrase", "--password-stdin", input: "first horse\nsecond horse\n")
    #expect(changed.exit == 0, "\(changed.errors)")
    for (passphrase, exit) in [("first horse", Int32(7)), ("second horse", 0)] {
      let ending = try scene.run("sync", "--password-stdin", input: passphrase + "\n")
      #expect(ending.exit == exit, "\(ending.errors)")
    }
  }

  @Test func `an empty new passphrase is reported as such, and the key stays`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["key", "move", "passphrase"], ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "New passphrase of the book: ")
    terminal.write("\n")
    let shown = terminal.read(until: "character")
    terminal.drain()
    #expect(child.end().exit == 7)
    #expect(shown.contains("The passphrase is empty."), "\(shown)")
    #expect(shown.contains("The key was not moved."), "\(shown)")
    #expect(!shown.contains("Run it on a terminal"), "\(shown)")
    let piped = try scene.run("key", "move", "passphrase", "--password-stdin", input: "\n")
    #expect(piped.exit == 7)
    #expect(piped.errors.contains("The passphrase is empty."), "\(piped.errors)")
    #expect(try scene.run("whoami", "--json").output.contains(#""label":"ada""#))
  }
}
