internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct DemoTests {
  @Test(.timeLimit(.minutes(10)))
  func `the demo tells its story and leaves nothing behind`() throws {
    let scene = try Scene()
    let before = folders()
    let ending = try scene.run("demo")
    #expect(ending.exit == 0, "\(ending.output)")
    #expect(ending.errors.isEmpty)
    #expect(!ending.output.contains("This should not be"))
    #expect(ending.output.contains("The first bad position is 13"))
    #expect(ending.output.contains("offline"))
    #expect(folders() == before)
    #expect(access(scene.book, F_OK) != 0)
    try Snapshot.check(ending.output, "demo")
  }

  private func folders() -> Set<String> {
    Set(TemporaryFolder.names(in: "/tmp").filter { $0.hasPrefix("gatebook-demo-") })
  }
}
