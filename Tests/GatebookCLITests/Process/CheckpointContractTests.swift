internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What `verify --against` says of checkpoints that do not fit.
struct CheckpointContractTests {
  @Test func `a checkpoint that does not fit is 5, and what is none is 1`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let other = try Scene()
    try other.logIn(.ada, label: "ada")
    let (kept, changed) = ("\(scene.folder)/kept", "\(scene.folder)/changed")
    try scene.run("checkpoint", "-o", kept)
    try other.run("checkpoint", "-o", changed)
    let foreign = try scene.run("verify", "--against", changed)
    #expect(foreign.exit == 5)
    #expect(foreign.errors.contains("is of another book"), "\(foreign.errors)")
    #expect(try scene.run("prove", "1", "--against", changed).exit == 5)

    let note = try TextFile.read(kept, what: "checkpoint")
    let size = try #require(note.split(separator: "\n").dropFirst().first)
    let larger = note.replacing("\n\(size)\n", with: "\n\(size)0\n", maxReplacements: 1)
    try TextFile.write(Array(larger.utf8), to: changed)
    let forged = try scene.run("verify", "--against", changed, "--json")
    #expect(forged.exit == 5)
    #expect(forged.errors.contains(#""code":"storage.damaged""#), "\(forged.errors)")

    for text in ["", "no checkpoint\n", "sum.golang.org\n1\nAAAA\n\n— sum.golang.org AAAA\n"] {
      try TextFile.write(Array(text.utf8), to: changed)
      let none = try scene.run("verify", "--against", changed)
      #expect(none.exit == 1, "\(none.errors)")
    }
    #expect(try scene.run("verify", "--against", "\(scene.folder)/none").exit == 1)
    #expect(try scene.run("verify", "--against", kept).exit == 0)
  }
}
