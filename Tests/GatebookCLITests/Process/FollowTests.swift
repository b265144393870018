internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct FollowTests {
  @Test func `log --follow prints what other processes record, each event once`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let child = try scene.start(["log", "--follow", "--json", "--kind", "login.succeeded"])
    #expect(child.read(until: "\n").contains("login.succeeded"))
    try scene.logIn(.ben, label: "ben")
    #expect(child.read(until: "\n").contains("login.succeeded"))
    child.signal(SIGINT)
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(ending.output.isEmpty)
  }
}
