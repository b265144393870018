import Testing

@testable import GatebookStore

/// The object files of a module name the libraries that it links.
@Suite struct LinkTests {
  private static let libraries = ["-lsqlite3", "-lcrypto", "-lcurl", "-lpsl", "-lFoundation"]

  private func requests(of module: String) throws -> Set<String> {
    let own = try FileBytes.link("/proc/self/exe")
    let folder = try #require(own.lastIndex(of: "/").map { own[..<$0] })
    let objects = "\(folder)/\(module).build"
    var found: Set<String> = []
    let names = TemporaryFolder.names(in: objects).filter { $0.hasSuffix(".o") }
    try #require(!names.isEmpty, "\(objects)")
    for name in names {
      let bytes = try FileBytes.read("\(objects)/\(name)")
      for request in Self.libraries where bytes.holds(Array(request.utf8)) {
        found.insert(request)
      }
    }
    return found
  }

  @Test func `a program that uses the events alone loads no other library`() throws {
    #expect(try requests(of: "GatebookEvents").isEmpty)
    // The search finds what is there.
    #expect(try requests(of: "GatebookStore").contains("-lsqlite3"))
  }

  @Test(arguments: [
    "Gatebook", "GatebookAuthentication", "GatebookCLI", "GatebookCrypto", "GatebookCurl",
    "GatebookObservation", "GatebookSecretService", "GatebookStore", "GatebookSystem",
  ])
  func `one product alone loads Foundation`(_ module: String) throws {
    #expect(try !requests(of: module).contains("-lFoundation"))
    #expect(try requests(of: "GatebookFoundation").contains("-lFoundation"))
  }
}
