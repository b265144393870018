internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct DoctorTests {
  @Test func `a healthy book has nothing bad`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run("doctor")
    #expect(ending.exit == 0, "\(ending.output)")
    #expect(ending.output.contains("The book agrees with itself."))
  }

  @Test func `a missing key and a damaged book are found`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let key = try scene.keyFile()
    try #require(rename(key, key + ".away") == 0)
    let keyless = try scene.run("doctor", "--json")
    #expect(keyless.exit == 1)
    #expect(keyless.output.contains(#"{"subject":"key","grade":"bad""#))
    let path = "\(scene.folder)/letter"
    try TextFile.write(Array("Dear Ada, this is no book at all.\n".utf8), to: path)
    #expect(try scene.run("doctor", "--book", path).exit == 1)
  }
}
