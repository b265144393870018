internal import Testing

@testable internal import GatebookCLI

struct GlobalOptionsTests {
  private func options(
    _ environment: [String: String], _ given: [(CommandOption, String)] = []
  ) throws -> GlobalOptions {
    var arguments = Arguments()
    for (option, value) in given { arguments.add(value, to: option) }
    return try GlobalOptions(
      arguments, Surroundings(environment: environment, clock: FixedClock(), zone: .utc))
  }

  @Test(arguments: [
    (["HOME": "/home/ada"], "/home/ada/.local/share/gatebook/sessions.gatebook"),
    (["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], "/data/gatebook/sessions.gatebook"),
    (
      ["HOME": "/home/ada", "XDG_DATA_HOME": "data"],
      "/home/ada/.local/share/gatebook/sessions.gatebook"
    ),
    (["HOME": "/home/ada", "GATEBOOK_BOOK": "b"], "b"),
    (["HOME": "/h", "GATEBOOK_BOOK": ""], "/h/.local/share/gatebook/sessions.gatebook"),
  ])
  func `the book is found by the environment`(
    _ environment: [String: String], _ book: String
  ) throws {
    #expect(try options(environment).book == book)
  }

  @Test func `an option wins over the environment`() throws {
    let options = try options(
      ["GATEBOOK_BOOK": "b", "GATEBOOK_KEY": "none"],
      [(GlobalOptions.bookOption, "c"), (GlobalOptions.keyOption, "file:/k")])
    #expect(options.book == "c")
    #expect(options.key == .file("/k"))
  }

  @Test(arguments: [
    ("automatic", KeyChoice.automatic), ("file:a b", .file("a b")), ("passphrase", .passphrase),
    ("none", .none), ("secret-service", .secretService),
  ])
  func `the key source is read`(_ text: String, _ key: KeyChoice) throws {
    #expect(try options(["GATEBOOK_BOOK": "b", "GATEBOOK_KEY": text]).key == key)
  }

  @Test func `without a home and a book it is asked for one`() {
    #expect(throws: UsageError.self) { try options([:]) }
  }

  @Test func `an empty book is said to be empty`() {
    let error = #expect(throws: UsageError.self) {
      try options(["HOME": "/h"], [(GlobalOptions.bookOption, "")])
    }
    #expect(error?.message.contains("empty") == true)
  }

  @Test func `colours need a terminal and no objection`() {
    func allows(_ environment: [String: String], terminal: Bool = true) -> Bool {
      Surroundings(
        environment: environment, isOutputTerminal: terminal, clock: FixedClock(), zone: .utc
      ).allowsColor
    }
    #expect(allows(["TERM": "xterm"]))
    #expect(allows(["NO_COLOR": ""]))
    #expect(!allows(["NO_COLOR": "1"]))
    #expect(!allows(["TERM": "dumb"]))
    #expect(!allows([:], terminal: false))
  }
}
