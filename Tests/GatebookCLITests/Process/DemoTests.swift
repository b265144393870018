internal import Gatebook
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct DemoTests {
  @Test(.timeLimit(.minutes(10)))
  func `the demo tells its story and leaves nothing`() throws {
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

  @Test @MainActor func `without its servers the demo says what is missing, and how to get it`() {
    let paths = ["/nowhere/gatebook-demo-servers", "/elsewhere/gatebook-demo-servers"]
    let error = #expect(throws: GatebookError.self) { try DemoServers(paths) }
    #expect(error?.code == .configurationInvalid)
    #expect(error?.message.contains("gatebook-demo-servers") == true)
    #expect(error?.remedy.contains("swift build --product gatebook-demo-servers") == true)
    for path in paths { #expect(error?.remedy.contains(path) == true) }
  }

  @Test @MainActor func `a program that says nothing of its servers is no demo`() {
    #expect(throws: GatebookError(.configurationInvalid, "", remedy: "")) {
      try DemoServers(["/bin/true"])
    }
  }

  private func folders() -> Set<String> {
    Set(Files.names(in: "/tmp").filter { $0.hasPrefix("gatebook-demo-") })
  }
}
