internal import CSQLite
internal import Gatebook
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// Commands on a book with a secret that was changed.
struct ChangedSecretTests {
  @Test func `one account's secret that does not open keeps no other from being resumed`() throws {
    let scene = try Scene()
    try scene.populate()
    let all = try scene.run("restore", "--all", "--json")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      """
      UPDATE vault SET sealed = zeroblob(80)
      WHERE purpose = 'session' AND account = (SELECT min(account) FROM vault WHERE purpose = 'session')
      """)
    let some = try scene.run("restore", "--all", "--json")
    #expect(some.exit == 5, "\(some.errors)")
    #expect(lines(some.output) == lines(all.output))
    #expect(some.errors.contains("does not open"), "\(some.errors)")
  }

  private func lines(_ text: String) -> Int { text.split(separator: "\n").count }
}
