internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook` alone, and `gatebook status`.
struct StatusTests {
  @Test func `without a book it says how to begin, and makes none`() throws {
    let scene = try Scene()
    for line in [[], ["status"]] {
      let status = try scene.start(line).end()
      #expect(status.exit == 0, "\(status.errors)")
      #expect(status.output.hasPrefix("No account yet.\n"), "\(status.output)")
      #expect(status.output.contains("gatebook login"), "\(status.output)")
    }
    #expect(try scene.run("whoami").exit == 7)
  }

  @Test func `it shows the current account and what one would do next`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let alone = try scene.start([]).end()
    #expect(alone.exit == 0, "\(alone.errors)")
    #expect(alone.output.hasPrefix("ada ("), "\(alone.output)")
    #expect(alone.output.contains(": active"), "\(alone.output)")
    #expect(!alone.output.contains("Needs attention"), "\(alone.output)")
    #expect(alone.output.contains("gatebook request URL"), "\(alone.output)")
    #expect(try scene.run("status").output == alone.output)
    let book = try scene.start(["--book", scene.book]).end()
    #expect(book.output.hasPrefix("ada ("), "\(book.output)")
    #expect(
      book.output.contains("gatebook request URL --book \(scene.book)"), "\(book.output)")
  }

  @Test func `an expired access token is reported, with what follows`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    #expect(try scene.run("status").output.contains(": active, valid for "))
    #expect(try !scene.run("accounts").output.contains("renewal due"))
    try scene.expire()
    let status = try scene.run("status").output
    #expect(status.contains(": active, renewed at its next use.\n"), "\(status)")
    #expect(try scene.run("accounts").output.contains("active, renewal due"))
    #expect(try scene.run("accounts", "--json").output.contains(#""state":"active""#))
    #expect(try scene.run("token").exit == 0)
    #expect(try scene.run("status").output.contains(": active, valid for "))
  }

  @Test func `an account that needs a login is named with its command`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    scene.portal.change(FakePortalUser.ada.userID) { $0.password = "another one" }
    scene.portal.endSessions()
    let request = try scene.run("request", scene.portal.url + "/documents/1", "--account", "ada")
    #expect(request.exit == 3, "\(request.errors)")
    let status = try scene.run("status")
    #expect(
      status.output.contains("Needs attention:\n  ada: needs login"), "\(status.output)")
    #expect(status.output.contains("    gatebook login --account ada\n"), "\(status.output)")
    let json = try scene.run("status", "--json").output
    #expect(json.contains(#""command":"gatebook login --account ada""#), "\(json)")
    #expect(json.contains(#""label":"ben""#), "\(json)")
  }

  @Test func `a book that is not there is a case of its own`() throws {
    let scene = try Scene()
    for line in [["whoami"], ["token"], ["log"], ["verify"], ["sync"], ["switch", "ada"]] {
      let missing = try scene.start(line + ["--json"]).end()
      #expect(missing.exit == 7, "\(line)")
      #expect(missing.errors.contains(#""code":"storage.none""#), "\(line): \(missing.errors)")
      #expect(missing.errors.contains("gatebook login"), "\(line): \(missing.errors)")
    }
  }

  @Test func `short options and the version`() throws {
    let scene = try Scene()
    #expect(try scene.run("version").output == (try scene.run("--version").output))
    #expect(try scene.run("whoami", "-h").output == (try scene.run("help", "whoami").output))
    #expect(try scene.start(["-h"]).end().output == (try scene.run("help").output))
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("erase", "ada", "--yes").exit == 0)
    #expect(try !scene.run("accounts").errors.isEmpty)
    #expect(try scene.run("accounts", "-q").errors.isEmpty)
  }

  @Test func `sync with nothing to do says so`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let sync = try scene.run("sync")
    #expect(sync.exit == 0, "\(sync.errors)")
    #expect(sync.output.hasPrefix("Nothing to do:"), "\(sync.output)")
  }
}
