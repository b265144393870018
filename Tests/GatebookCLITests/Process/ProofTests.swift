internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook prove` and `gatebook verify-proof`.
struct ProofTests {
  @Test func `a proof is checked where there is no book`() throws {
    let scene = try Scene()
    try scene.populate()
    let (proof, kept) = ("\(scene.folder)/proof", "\(scene.folder)/kept")
    try scene.run("checkpoint", "-o", kept)
    let event = try scene.run("show", "4", "--json", "--key", "none").output
    #expect(try scene.run("prove", "4", "-o", proof).exit == 0)
    #expect(try scene.run("prove", "4", "--key", "none", "--against", kept).exit == 0)
    unlink(scene.book)
    let told = try scene.run("verify-proof", proof)
    #expect(told.exit == 0)
    #expect(told.output.hasPrefix("The event is in the book, at position 4.\n"))
    #expect(told.errors.contains("does not show that this is the book's key"))
    let line = try scene.run("verify-proof", proof, "--against", kept, "--json").output
    #expect(line.contains(#""ok":true"#))
    #expect(line.contains(#""level":"checkpoint""#))
    #expect(line.contains(event.dropLast()))
    #expect(!line.contains("portal.example.test"))
  }

  @Test func `a changed proof, and one of another book, are refused`() throws {
    let scene = try Scene()
    try scene.populate()
    let proof = "\(scene.folder)/proof"
    try scene.run("prove", "4", "-o", proof)
    let text = try TextFile.read(proof, what: "proof")
    let changed = "\(scene.folder)/changed"
    try TextFile.write(
      Array(text.replacingFirst("index 3", "index 4").utf8), to: changed)
    let refused = try scene.run("verify-proof", changed)
    #expect(refused.exit == 5)
    #expect(refused.errors.contains("does not hold"))
    try TextFile.write(Array("no proof\n".utf8), to: changed)
    let none = try scene.run("verify-proof", changed)
    #expect(none.exit == 1)
    #expect(none.errors.contains("is not a proof"))
    let other = try Scene()
    try other.populate()
    try other.run("checkpoint", "-o", "\(scene.folder)/other")
    let foreign = try scene.run("verify-proof", proof, "--against", "\(scene.folder)/other")
    #expect(foreign.exit == 5)
    #expect(foreign.output.isEmpty)
    #expect(
      foreign.errors.contains("belongs to another book")
        && foreign.errors.contains("proof itself holds"),
      "\(foreign.errors)")
    #expect(try scene.run("prove", "4000").exit == 2)
    #expect(try scene.run("prove", "4", "--key", "none").exit == 7)
    #expect(try scene.run("prove", "4", "--account", "ben").exit == 2)
  }
}

extension String {
  fileprivate func replacingFirst(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
