internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import Gatebook
@testable internal import GatebookCLI

/// Commands that are printed can be pasted unchanged.
struct PrintedCommandTests {
  @Test(arguments: [
    "Sources/Gatebook", "Sources/GatebookAuthentication", "Sources/GatebookCLI",
    "Sources/GatebookCurl", "Sources/GatebookEvents", "Sources/GatebookFoundation",
    "Sources/GatebookObservation", "Sources/GatebookSecretService", "Sources/GatebookStore",
    "Tests/GatebookCLITests/Snapshots", "README.md",
  ])
  func `no command has three points in the place of what the person would have to find out`(
    _ place: String
  ) throws {
    var count = 0
    for path in Self.files(at: "\(Self.root)/\(place)") {
      let text = try TextFile.read(path, what: "source")
      count += text.ranges(of: "`gatebook ").count
      for gap in text.matches(of: /`(gatebook )?[a-z][^`\n]*\.\.\.[^`\n]*`/)
      where !gap.output.0.hasPrefix("`... ") {
        let isCommand = gap.output.1 != nil || gap.output.0.hasPrefix("`login ")
        #expect(!isCommand, "\(path): \(gap.output.0)")
      }
    }
    let names = ["GatebookCLI", "Snapshots", "README.md"]
    if names.contains(where: place.hasSuffix) { #expect(count > 0, "\(place) was read") }
  }

  @Test(arguments: [
    "Sources/Gatebook", "Sources/GatebookAuthentication", "Sources/GatebookCurl",
    "Sources/GatebookEvents", "Sources/GatebookFoundation", "Sources/GatebookObservation",
    "Sources/GatebookSecretService", "Sources/GatebookStore",
  ])
  func `the library's texts name no command and no option`(_ place: String) throws {
    for path in Self.files(at: "\(Self.root)/\(place)") where path.hasSuffix(".swift") {
      for line in try TextFile.read(path, what: "source").split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!line.contains("`gatebook ") && !line.contains("`--"), "\(path): \(line)")
        #expect(!line.contains(/"[^"]* --[a-z]/), "\(path): \(line)")
      }
    }
  }

  /// API in texts that no command can lead to, or that the command words itself.
  private static let unreached: Set<String> = [
    "Browser", "SessionBook.beginLogIn", "SessionBook.logIn", "SessionBook.logInAgain",
    "SessionBook.open", "SessionBook.sync", "StepUp", "bindsTokens", "companyId", "rememberMe",
  ]

  @Test(arguments: [
    "Sources/Gatebook", "Sources/GatebookAuthentication", "Sources/GatebookCurl",
    "Sources/GatebookEvents", "Sources/GatebookFoundation", "Sources/GatebookObservation",
    "Sources/GatebookSecretService", "Sources/GatebookStore",
  ])
  func `each API that the library's texts name has a command`(_ place: String) throws {
    let known = Self.unreached.union(CommandNames.names.map { $0.0 })
    let api = /`([A-Z][A-Za-z]+(?:\.[a-zA-Z(_:)]+)?|[a-z]+[A-Z][A-Za-z]*)`/
    for path in Self.files(at: "\(Self.root)/\(place)") where path.hasSuffix(".swift") {
      for line in try TextFile.read(path, what: "source").split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for name in line.matches(of: api).map({ String($0.output.1) }) {
          #expect(known.contains(name), "\(path): \(line)")
        }
      }
    }
  }

  @Test func `a command of the library's texts names the account and the book`() {
    let told = PrintedCommand.completed(
      CommandNames.replacingAPI(
        in: "Remove them with `SessionBook.removeCredentials(of:)`, or use `BookVerifier`."),
      by: " --account x --book b")
    #expect(
      PrintedCommand.placed(told, at: " --book b")
        == "Remove them with `gatebook credentials remove --account x --book b`, or use "
        + "`gatebook verify --book b`.")
    let help = "See `gatebook help login`, or `gatebook why --account x --book b`."
    #expect(PrintedCommand.placed(help, at: " --book b") == help)
    #expect(PrintedCommand.placed(told, at: "") == told)
  }

  @Test(arguments: [
    [], ["accounts"], ["why"], ["logout"], ["verify"], ["why", "nobody"], ["doctor"], ["sync"],
    ["restore"], ["switch", "nobody"], ["--account", "ada"], ["trust", "revoke"], ["log", "x"],
    ["login", "nobody"], ["login", "--resume"], ["request", "https://other.example/"],
  ])
  func `each command that is printed for another book names it`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let copy = "\(scene.folder)/other book.gatebook"
    try #require(try scene.run("backup", copy).exit == 0)
    let ending = try scene.start(line + ["--book", copy]).end()
    for text in [ending.output, ending.errors] {
      for command in text.matches(of: /`?gatebook ([a-z][^`\n]*)/) {
        let needsNone = ["help", "demo", "0."].contains { command.output.1.hasPrefix($0) }
        #expect(
          needsNone || command.output.1.contains("other book.gatebook'"), "\(command.output.0)")
      }
    }
  }

  @Test func `the library's API is translated to the command that does it`() {
    let told = CommandNames.replacingAPI(
      in: "Check it with `BookVerifier`, or call `SessionBook.renewNow(_:evenIfUsedUp:)`.")
    #expect(told == "Check it with `gatebook verify`, or call `gatebook refresh --again`.")
  }

  @Test(arguments: Advice.allCases)
  func `each command that why advises is valid unchanged`(_ advice: Advice) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "it's me")
    let reader = try BookReader.open(at: scene.book, key: KeyFile(path: try scene.keyFile()))
    let context = try #require(try reader.accounts().first)
    let settings = try reader.savedSettings(of: context.account)
    let rows: [(SessionContext?, SavedSettings?)] = [
      (context, settings), (context, nil), (nil, nil),
    ]
    for (context, settings) in rows {
      let explanation = Explanation(
        events: try reader.events(EventFilter()), account: context?.account, position: .start,
        answer: "It is so.", steps: [], unknown: nil, present: nil, advice: advice)
      let place = ExplanationRendering.Place(
        options: " --book 'my book'", isArchive: false, lacksKey: false, settings: settings,
        trust: .system)
      let told = ExplanationRendering.lines(
        explanation, of: context, in: place,
        TimeText(zone: .utc, isUTC: true))
      for command in try #require(told.last).matches(of: /`gatebook ([^`]*)`/) {
        let words = Self.words(String(command.output.1))
        #expect(!words.contains { $0.contains("...") }, "\(command.output.0)")
        let order = try? ArgumentReader.read(words, CommandTable.commands)
        #expect(order != nil, "\(command.output.0)")
        guard words.first == "login", words.count > 1, !words[1].hasPrefix("-") else { continue }
        #expect(settings != nil, "\(command.output.0)")
        #expect(words.contains("it's me") && words.contains("my book"), "\(words)")
      }
    }
  }

  /// The words of a command line, as a shell reads them that knows single quotes and backslashes
  /// alone.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var (isQuoted, isEscaped) = (false, false)
    for character in line {
      switch character {
      case _ where isEscaped: (word, isEscaped) = ((word ?? "") + String(character), false)
      case "'": (isQuoted, word) = (!isQuoted, word ?? "")
      case "\\" where !isQuoted: isEscaped = true
      case " " where !isQuoted:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }

  private static var root: String {
    let file = String(describing: #filePath)
    return "/" + file.split(separator: "/").dropLast(4).joined(separator: "/")
  }

  /// A file itself, or all text files of a folder and of those in it.
  private static func files(at path: String) -> [String] {
    guard let folder = opendir(path) else { return [path] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let isText = [".swift", ".md", ".txt"].contains(where: name.hasSuffix)
      if isText || entry.pointee.d_type == UInt8(DT_DIR) { found += files(at: "\(path)/\(name)") }
    }
    return found
  }
}
