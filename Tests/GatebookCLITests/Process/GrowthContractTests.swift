internal import CSQLite
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// What `verify --from` says, to people and to programs.
struct GrowthContractTests {
  /// A book that grew by an event since its checkpoint was kept.
  private static func grown() throws -> (scene: Scene, kept: String, covered: Int64) {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let kept = "\(scene.folder)/kept"
    #expect(try scene.run("checkpoint", "-o", kept).exit == 0)
    let covered = try BookReader.open(at: scene.book).head().size
    #expect(try scene.run("rename", "ada", "eve").exit == 0)
    return (scene, kept, covered)
  }

  private static func tamper(_ scene: Scene, _ sql: String) throws {
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute(sql)
  }

  /// A text without its line breaks.
  private static func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `it says from where it verified, and never that all was`() throws {
    let (scene, kept, covered) = try Self.grown()
    let reader = try BookReader.open(at: scene.book)
    let (size, root) = try reader.head()
    let text = try scene.run("verify", "--from", kept)
    #expect(text.exit == 0, "\(text.errors)")
    let said = Self.flat(text.output)
    let later = size - covered == 1 ? "1 event" : "\(size - covered) events"
    #expect(
      said.contains("with itself from position \(covered + 1) on: \(later)."), "\(text.output)")
    #expect(said.contains("Events 1 to \(covered) were not read"), "\(text.output)")
    #expect(!said.contains("The book agrees with itself"), "\(text.output)")
    let json = try scene.run("verify", "--from", kept, "--json")
    #expect(json.exit == 0)
    #expect(
      json.output == """
        {"ok":true,"size":\(size),"root":"\(root)","level":"since","covered":\(covered),\
        "from":\(covered + 1),"problems":[]}

        """)
    #expect(try scene.run("verify", "--from", kept, "--key", "none").exit == 0)
    try scene.run("checkpoint", "-o", kept)
    let none = try scene.run("verify", "--from", kept)
    #expect(none.exit == 0)
    #expect(Self.flat(none.output).contains("nothing was added since"), "\(none.output)")
  }

  @Test(arguments: [
    // An earlier event that was changed while its stored hash stayed as it was: not found.
    ("UPDATE event SET at = at + 1 WHERE position = 3", 0, "agrees with the checkpoint", ""),
    (
      "UPDATE event SET leaf = zeroblob(32) WHERE position = 3", 5,
      "The book does not agree with the checkpoint.", "`gatebook verify --against"
    ),
    (
      "UPDATE event SET at = at + 1 WHERE position = (SELECT size FROM head)", 5,
      "was damaged or tampered with after the checkpoint", "keep this file unchanged"
    ),
    (
      "DELETE FROM event WHERE position = (SELECT size FROM head)", 5, "is missing.",
      "`gatebook recover -o FILE"
    ),
    (
      "UPDATE head SET root = zeroblob(32)", 5, "they do not match the root in the book's head",
      "keep this file unchanged"
    ),
    (
      "UPDATE head SET size = 2", 5, "The book ends at position 2, but the checkpoint covers",
      "`gatebook verify --against"
    ),
    (
      "INSERT INTO block VALUES (8, 90, 1, 2, 3)", 5, "The index of kinds and times is wrong.",
      "`gatebook rebuild"
    ),
  ])
  func `a change ends with its exit, and with what to do`(
    _ sql: String, _ exit: Int32, _ said: String, _ advice: String
  ) throws {
    let (scene, kept, _) = try Self.grown()
    try Self.tamper(scene, sql)
    let text = try scene.run("verify", "--from", kept)
    #expect(text.exit == exit, "\(text.output)\(text.errors)")
    #expect(Self.flat(text.output).contains(said), "\(text.output)")
    #expect(advice.isEmpty || Self.flat(text.errors).contains(advice), "\(text.errors)")
    let json = try scene.run("verify", "--from", kept, "--json")
    #expect(json.exit == exit)
    #expect(json.output.contains(#""ok":\#(exit == 0)"#), "\(json.output)")
    #expect(try scene.run("verify").exit == 5)
  }

  @Test func `a checkpoint that does not fit is 5, what is none is 1, and other options are 2`()
    throws
  {
    let (scene, kept, _) = try Self.grown()
    let other = try Scene()
    try other.logIn(.ada, label: "ada")
    let foreign = "\(scene.folder)/foreign"
    try other.run("checkpoint", "-o", foreign)
    let refused = try scene.run("verify", "--from", foreign)
    #expect(refused.exit == 5)
    #expect(refused.errors.contains("is of another book"), "\(refused.errors)")
    try TextFile.write(Array("no checkpoint\n".utf8), to: foreign)
    #expect(try scene.run("verify", "--from", foreign).exit == 1)
    #expect(try scene.run("verify", "--from", "\(scene.folder)/none").exit == 1)
    for option in ["--against", "--archive", "--account"] {
      let usage = try scene.run(
        "verify", "--from", kept, option, option == "--account" ? "eve" : kept)
      #expect(usage.exit == 2, "\(option)")
      #expect(Self.flat(usage.errors).contains("`--from` and `\(option)` do not go together."))
    }
  }

  @Test func `a checkpoint in an archive is 1, with the commands that compare it`() throws {
    let (scene, kept, _) = try Self.grown()
    #expect(try scene.run("archive", "-o", "\(scene.folder)/past.gatebook").exit == 0)
    let refused = try scene.run("verify", "--from", kept)
    #expect(refused.exit == 1)
    #expect(Self.flat(refused.errors).contains("are in the archive"), "\(refused.errors)")
    #expect(refused.errors.contains("`gatebook verify"), "\(refused.errors)")
    #expect(try scene.run("checkpoint", "-o", "\(scene.folder)/next").exit == 0)
    #expect(try scene.run("verify", "--from", "\(scene.folder)/next").exit == 0)
  }
}
