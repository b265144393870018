internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook token` of a session that needs nothing only reads the book.
struct TokenReadingTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.logInForTokens(["--label", "ada"])
  }

  @Test func `a valid token is printed while another process writes to the book`() throws {
    let count = try scene.kinds().count
    let writer = try HeldByte(1, of: scene.book)
    let ending = try scene.run("token", "--wait", "0")
    #expect(ending.output == (try scene.liveToken()) && ending.exit == 0, "\(ending.errors)")
    // What needs the book open for writing says that it is busy.
    let host = try scene.run("token", "--format", "netrc", "--host", "other.example", "--wait", "0")
    #expect(host.exit == ExitCode.busy.rawValue, "\(host.errors)")
    writer.release()
    #expect(try scene.kinds().count == count)
  }

  @Test(arguments: [["--min-lifetime", "300000"], ["--scope", "unknown"]])
  func `a token that does not fit is not printed`(_ more: [String]) throws {
    let ending = try scene.start(["token"] + more).end()
    #expect(ending.exit != 0 && ending.output.isEmpty, "\(ending.errors)")
  }

  @Test func `it tells a server of a logout that did not reach it`() throws {
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    scene.portal.stop()
    #expect(try scene.run("logout", "--account", "ben").exit == 0)
    try scene.portal.start()
    // What failed just now waits for half a second first.
    for _ in 0..<500 where scene.portal.requests(to: .logout).isEmpty {
      let ending = try scene.run("token", "--account", "ada")
      #expect(ending.exit == 0, "\(ending.errors)")
    }
    #expect(scene.portal.requests(to: .logout).count == 1)
  }
}
