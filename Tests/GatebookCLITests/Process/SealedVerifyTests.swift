internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// What `verify` does with the book's key: it opens what no hash covers, and never asks for the
/// key.
struct SealedVerifyTests {
  private func change(_ scene: Scene, _ statement: String) throws {
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(statement)
    try #require(try connection.integer("SELECT changes()") == 1)
  }

  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Sets a column to its value with one bit flipped.
  private func flipped(_ column: String, at place: Int, of value: [UInt8]) -> String {
    var value = value
    value[place] ^= 1
    return "\(column) = x'\(Hex.encode(value))'"
  }

  private func bytes(_ scene: Scene, _ query: String) throws -> [UInt8] {
    let row = try Connection.open(scene.book, flags: SQLITE_OPEN_READONLY).statement(query)
    defer { row.reset() }
    try #require(try row.step())
    return row.bytes(0)
  }

  @Test func `one line says what was opened with the key, and what was not`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben", mode: "cookie", "--save-credentials")
    let verify = try scene.run("verify")
    #expect(verify.exit == 0, "\(verify.output)")
    #expect(
      verify.output.contains("\nDecrypted with the key: 2 account keys, "), "\(verify.output)")
    #expect(
      verify.output.contains("Compared with the lists of logins: the lookups of 2 accounts."),
      "\(verify.output)")
    #expect(
      try scene.run("verify", "--json").output.contains(
        #""sealed":{"opened":true,"keys":2,"#))
    let none = try scene.run("verify", "--key", "none")
    #expect(none.exit == 0)
    #expect(none.output.contains("were not checked. `--key none` was given."), "\(none.output)")
    #expect(
      try scene.run("verify", "--key", "none", "--json").output.contains(
        #""sealed":{"opened":false}"#))
    // Gone, or another book's: nothing is wrong with the book.
    let key = try scene.keyFile()
    for line in [["--key", "file:\(scene.folder)/nothing"], ["--key", "file:\(key).gone"]] {
      let ending = try scene.start(["verify"] + line).end()
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output.contains("were not checked. "), "\(ending.output)")
    }
    let json = try scene.run("verify", "--json", "--key", "file:\(scene.folder)/nothing")
    #expect(json.output.contains(#""sealed":{"opened":false,"code":"key.missing"}"#), "\(json)")
  }

  @Test func `a passphrase is never asked for`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let file = try scene.secretFile("correct horse battery staple\n")
    let environment = ["GATEBOOK_PASSPHRASE_FILE": file]
    let move = try scene.run(
      "key", "move", "passphrase", "--password-stdin", input: "correct horse battery staple\n")
    try #require(move.exit == 0, "\(move.errors)")
    for line in [["verify"], ["verify", "--key", "passphrase"]] {
      let ending = try scene.start(line, ChildProcess.Streams(input: "")).end()
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.output.contains("were not checked. "), "\(ending.output)")
      #expect(!ending.errors.contains("assphrase:"), "\(ending.errors)")
      let given = try scene.start(line, environment: environment).end()
      #expect(given.output.contains("Decrypted with the key: 1 account key"), "\(given.output)")
    }
  }

  @Test func `a flipped bit in an account's key is damage if the book's key is available`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let key = try bytes(scene, "SELECT key FROM account")
    try change(scene, "UPDATE account SET \(flipped("key", at: 20, of: key))")
    let verify = try scene.run("verify")
    #expect(verify.exit == 5)
    #expect(
      words(verify.output).contains("was changed: it cannot be decrypted."), "\(verify.output)")
    #expect(words(verify.output).contains("The log agrees with itself"), "\(verify.output)")
    #expect(words(verify.errors).contains("use a copy of the book"), "\(verify.errors)")
    #expect(!verify.errors.contains("rebuild"), "\(verify.errors)")
    #expect(try scene.run("verify", "--key", "none").exit == 0)
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(doctor.output.contains("account keys: "), "\(doctor.output)")
  }

  @Test(arguments: ["DELETE FROM account", "UPDATE account SET number = 77"])
  func `a log that cannot be folded has the same verdict with the key`(_ damage: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try change(scene, damage)
    let none = try scene.run("verify", "--json", "--key", "none")
    #expect(none.exit == 5)
    #expect(none.output.contains(#""firstBad":"#), "\(none.output)")
    let keyed = try scene.run("verify", "--json")
    #expect(keyed.exit == 5)
    #expect(
      keyed.output
        == none.output.replacing(
          #""sealed":{"opened":false}"#,
          with: #""sealed":{"opened":false,"code":"storage.damaged"}"#))
    let text = try scene.run("verify")
    #expect(text.exit == 5)
    #expect(words(text.output).contains("The first bad position is"), "\(text.output)")
    #expect(
      words(text.output).contains("were not checked. The identity of an account is missing"),
      "\(text.output)")
  }

  @Test func `a deleted secret of a session is damage if the key is available`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try change(scene, "DELETE FROM vault WHERE purpose = 'session'")
    let verify = try scene.run("verify")
    #expect(verify.exit == 5)
    #expect(
      words(verify.output).contains(
        "is missing, although its session has not ended in the log."),
      "\(verify.output)")
    #expect(try scene.run("verify", "--key", "none").exit == 0)
  }

  @Test func `changed lookups are damage, also after they made a second account`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    for hash in 1...2 {
      let old = try bytes(scene, "SELECT hash FROM account_lookup ORDER BY hash LIMIT 1")
      try change(
        scene,
        "UPDATE account_lookup SET \(flipped("hash", at: 31 - hash, of: old)) WHERE hash = x'\(Hex.encode(old))'"
      )
      let verify = try scene.run("verify")
      #expect(verify.exit == 5, "\(hash)")
      #expect(words(verify.output).contains("may create a second account"), "\(verify.output)")
      let doctor = try scene.run("doctor", "--offline")
      #expect(doctor.output.contains("bad   lookups: "), "\(doctor.output)")
      #expect(try scene.run("verify", "--key", "none").exit == 0)
    }
    try scene.logIn(.ada)
    let verify = try scene.run("verify")
    #expect(verify.exit == 5)
  }
}
