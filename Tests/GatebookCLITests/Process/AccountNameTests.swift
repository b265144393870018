internal import Gatebook
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI

/// What `--account` may be, and what is said where it could be several.
struct AccountNameTests {
  @Test func `the beginning of an id names an account when it is long enough and nobody else's`()
    throws
  {
    let scene = try Scene()
    try scene.populate()
    let ids = try BookReader.open(at: scene.book).accounts().map(\.account.description)
    for id in ids {
      let two = String(id.prefix(2))
      let named = try scene.run("whoami", "--account", two, "--key", "none")
      let isAlone = ids.count { $0.hasPrefix(two) } == 1
      #expect(named.exit == (isAlone ? 0 : 2), "\(named.errors)")
      let one = String(id.prefix(1))
      let short = try scene.run("whoami", "--account", one, "--key", "none")
      #expect(short.exit == 2)
      let mates = ids.filter { $0.hasPrefix(one) }
      #expect(
        short.errors.contains(mates.count == 1 ? "too short" : "ambiguous"), "\(short.errors)")
      for mate in mates { #expect(short.errors.contains(mate.prefix(8)), "\(short.errors)") }
    }
  }

  @Test func `who takes an account's name away is told`() throws {
    let scene = try Scene()
    #expect(try !scene.logIn(.ada, label: "private").errors.contains("was called"))
    #expect(try !scene.logIn(.ada, label: "private").errors.contains("was called"))
    let told = try scene.logIn(.ada, label: "work").errors
    #expect(told.contains("This is the account that was called private: it has a new label."))
  }
}
