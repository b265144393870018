internal import Gatebook
internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal cancels a login that waits: 130, and the log says so`(_ signal: Int32) async throws
  {
    let scene = try Scene()
    scene.portal.inject(.stallBeforeActing, on: .invoke, times: nil)
    let child = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin",
        // Only the signal may end it, however late a busy machine sends that.
        "--timeout", "600",
      ], ChildProcess.Streams(input: FakePortalUser.ada.password + "\n"))
    _ = await scene.portal.requests(atLeast: 1)
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(try scene.run("log", "--json").output.contains(#""kind":"login.cancelled""#))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test func `a reader that went away ends a listing quietly`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.start(["log"], ChildProcess.Streams(hasNoReader: true)).end()
    #expect(ending.exit == 0)
    #expect(ending.errors.isEmpty)
  }
}
