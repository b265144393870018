internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// Books in which somebody has changed single rows.
struct DamagedFactsTests {
  private func connection(_ scene: Scene) throws -> Connection {
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    return connection
  }

  @Test func `one account's changed facts keep nobody from another account`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let connection = try connection(scene)
    let last = try connection.integer(
      "SELECT max(e.position) FROM event e JOIN kind k ON k.number = e.kind WHERE k.name = 'account.added'"
    )
    try connection.execute(
      """
      UPDATE event SET sealed = CAST(x'02' || substr(sealed, 2) AS BLOB)
      WHERE position = \(last)
      """)
    let accounts = try scene.start(["accounts"]).end()
    #expect(accounts.exit == 0, "\(accounts.errors)")
    #expect(accounts.output.contains("ada"), "\(accounts.output)")
    #expect(accounts.output.contains("(lost)"), "\(accounts.output)")
    let page = scene.portal.url + "/documents/one"
    #expect(try scene.run("--account", "ada", "request", page).exit == 0)
    #expect(try scene.run("--account", "ada", "why").exit == 0)
    for line in [["log"], ["show", "\(last)"]] {
      let told = try scene.start(line).end()
      #expect(told.exit == 5)
      #expect(!told.output.isEmpty)
      #expect(told.errors.contains("The event at position \(last) is not what"), "\(told.errors)")
    }
  }

  @Test(arguments: [
    ("UPDATE head SET size = 4611686018427387904", ["findings"]),
    (
      """
      DROP TRIGGER IF EXISTS event_is_never_updated;
      UPDATE event SET position = 4611686018427387903 WHERE position = (SELECT size FROM head);
      UPDATE head SET size = 4611686018427387904
      """, ["findings"]
    ), ("UPDATE tally SET events = 9223372036854775807", ["stats"]),
  ])
  func `no number in a stranger's book ends or holds up a command`(
    change: String, line: [String]
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try connection(scene).execute(change)
    let told = try scene.start(line).end()
    #expect(told.exit == 0 || told.exit == 5, "\(told.exit) \(told.errors)")
  }

  @Test func `an account whose last event is gone is reported as damage`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.run("restore")
    let connection = try connection(scene)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    let cause = try connection.integer("SELECT max(position) FROM event")
    try connection.execute("DELETE FROM event WHERE position = \(cause)")
    let told = try scene.start(["why"]).end()
    #expect(told.exit == 5, "\(told.errors)")
    #expect(told.errors.contains("position \(cause)"), "\(told.errors)")
  }

  @Test func `what is to be done names the book that was named`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.run("logout")
    let told = try scene.start(["why", "--book", scene.book]).end()
    #expect(
      told.output.contains("--account ada --book \(scene.book)` logs in again."), "\(told.output)")
  }
}
