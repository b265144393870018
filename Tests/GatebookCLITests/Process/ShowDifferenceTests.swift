internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook show --diff`.
struct ShowDifferenceTests {
  private let scene: Scene
  /// The end of the log before Ben was renamed and logged out.
  private let before: String

  init() throws {
    scene = try Scene()
    try scene.populate()
    before = "\(try BookReader.open(at: scene.book).head().size)"
    try scene.run("rename", "second", "--account", "ben")
    try scene.run("logout", "--account", "second")
  }

  @Test func `what differs between two moments is shown, and nothing else`() throws {
    let shown = try scene.run(
      "show", "--account", "second", "--as-of", before, "--diff", "now")
    #expect(shown.exit == 0, "\(shown.errors)")
    #expect(shown.output.contains("label\n  - ben\n  + second\n"), "\(shown.output)")
    #expect(shown.output.contains("state\n  - active, since "), "\(shown.output)")
    #expect(shown.output.contains("\n  + ended (logged out), since "), "\(shown.output)")
    #expect(!shown.output.contains("server"), "\(shown.output)")
    #expect(shown.output.hasPrefix("From "))
  }

  @Test func `the earlier moment comes first, and now is the other one`() throws {
    func json(_ more: String...) throws -> String {
      let ending = try scene.start(["show", "--account", "second", "--json"] + more).end()
      #expect(ending.exit == 0, "\(ending.errors)")
      return ending.output
    }
    let end = "\(try BookReader.open(at: scene.book).head().size)"
    let told = try json("--as-of", before, "--diff", end)
    #expect(told.contains(#"{"name":"label","from":"ben","to":"second"}"#), "\(told)")
    #expect(told.contains(#"{"name":"state","from":"active","to":"ended"}"#), "\(told)")
    #expect(told.contains(#""from":{"at":"#) && told.contains(#""position":\#(before)}"#))
    #expect(try json("--as-of", end, "--diff", before) == told)
    let changes = try #require(told.firstRange(of: #""changes""#)).lowerBound
    #expect(try json("--diff", before).hasSuffix(told[changes...]))
  }

  @Test func `an added or removed fact is on one side only`() throws {
    let ending = try scene.run(
      "show", "--account", "ada", "--as-of", "3", "--diff", "4", "--json")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#"{"name":"lastVerified","to":""#), "\(ending.output)")
  }

  @Test func `what an account came with is shown from the time before it`() throws {
    let shown = try scene.run("show", "--account", "second", "--as-of", "1", "--diff", before)
    #expect(shown.exit == 0, "\(shown.errors)")
    #expect(shown.output.contains("The account was added to the book in between.\n"))
    #expect(shown.output.contains("\nlabel\n  + ben\n"), "\(shown.output)")
    #expect(!shown.output.contains("\n  - "), "\(shown.output)")
    let told = try scene.run("show", "--account", "second", "--diff", "1", "--json")
    #expect(told.output.contains(#"{"name":"label","to":"second"}"#), "\(told.output)")
    let never = try scene.run("show", "--account", "second", "--as-of", "1", "--diff", "2")
    #expect(never.exit == 2 && never.errors.contains("not in the book at that time"))
  }

  @Test func `moments without a difference, before the account and of an event are explained`()
    throws
  {
    let same = try scene.run("show", "--account", "ada", "--as-of", before, "--diff", before)
    #expect(same.exit == 0)
    #expect(same.errors == "The account did not change.\n")
    let event = try scene.run("show", "4", "--diff", "now")
    #expect(event.exit == 2)
    #expect(event.errors.contains("an event never changes"), "\(event.errors)")
  }

  @Test func `ages count from the moment that is asked for, and differ between no two`() throws {
    let past = try scene.run("show", "--account", "second", "--as-of", before)
    #expect(past.exit == 0, "\(past.errors)")
    #expect(!past.output.contains(" ago)"), "\(past.output)")
    #expect(
      past.output.contains(/last verified +\d{4}-[\d: -]+ \(.* (before|then)\)/), "\(past.output)")
    let shown = try scene.run("show", "--account", "ada", "--as-of", "6", "--diff", "now")
    #expect(!shown.output.contains("last verified"), "\(shown.output)")
    #expect(!shown.output.contains(" ago)"), "\(shown.output)")
  }

  @Test func `attributes are shown as people read them`() throws {
    let shown = try scene.run("show", "--account", "ada", "--as-of", "4", "--diff", "now")
    #expect(shown.output.contains("\nattributes.firstName\n  + Ada\n"), "\(shown.output)")
    #expect(shown.output.contains("\nattributes.agreedToTermsOfUse\n  + yes\n"), "\(shown.output)")
    #expect(!shown.output.contains("{"), "\(shown.output)")
  }

  @Test func `attributes are compared one by one, and encrypted ones are not shown`() throws {
    let told = try scene.run("show", "--account", "ada", "--as-of", "4", "--diff", "now", "--json")
    #expect(told.output.contains(#"{"name":"attributes."#))
    let id = try #require(told.output.dropFirst(#"{"id":""#.count).split(separator: "\"").first)
    let sealed = try scene.run(
      "show", "--account", String(id), "--as-of", "4", "--diff", "now", "--key", "none")
    #expect(sealed.exit == 0, "\(sealed.errors)")
    #expect(!sealed.output.contains("Lovelace"))
  }
}
