internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// `gatebook recover`, and every command on a book that was recovered.
struct RecoverCommandTests {
  @Test(arguments: [false, true])
  func `a recovered book serves, and says what it is`(_ losesPage: Bool) throws {
    let scene = try Scene()
    try scene.populate()
    let accounts = try scene.run("accounts", "--json").output
    let size = try scene.run("log", "--json").output.split(separator: "\n").count
    // Else the beginning of the file, with all that SQLite needs to know of it.
    try overwrite(scene.book, losesPage ? middlePage(scene) : 0, losesPage ? 4096 : 100)
    let broken = try scene.run("log")
    if !losesPage { #expect(broken.exit == 5 || broken.output.isEmpty, "\(broken.errors)") }
    let file = "\(scene.folder)/new.gatebook"
    let made = try scene.run("recover", "-o", file)
    #expect(made.exit == 0, "\(made.errors)")
    if !losesPage {
      #expect(made.output.contains("All \(size) events are in the new book"), "\(made.output)")
      #expect(try scene.run("accounts", "--json", "--book", file).output == accounts)
    }
    let verdict = try scene.run("verify", "--book", file)
    #expect(verdict.exit == 0, "\(verdict.output)")
    #expect(verdict.output.contains("was recovered from a damaged"))
    #expect(verdict.output.contains("Lost:") == losesPage, "\(verdict.output)")
    for line in [
      ["log"], ["why", "--account", "ada"], ["accounts"], ["sessions"], ["stats"], ["findings"],
      ["rebuild", "--check"], ["rebuild"], ["rebuild", "--check"], ["restore", "--all"],
      ["export", "--format", "jsonl"], ["report", "-o", "\(scene.folder)/report.html"],
    ] {
      let ending = try scene.start(line + ["--book", file]).end()
      #expect(ending.exit == 0, "\(line): \(ending.output)\(ending.errors)")
      #expect(!ending.errors.contains("damaged") && !ending.output.contains("is damaged"))
    }
    let again = try scene.run("recover", "-o", file)
    #expect(again.exit == 1)
    #expect(again.errors.contains("The file already exists"))
  }

  @Test func `accounts with lost keys are reported, and a login makes new keys`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let id = try #require(
      try scene.run("whoami", "--json").output.firstMatch(of: /"id":"([0-9a-f]{32})"/)
    ).output.1
    let page = try leafPage(with: try #require(Hex.decode(String(id))), scene)
    try overwrite(scene.book, page, 4096)
    let file = "\(scene.folder)/new.gatebook"
    let made = try scene.run("recover", "-o", file)
    #expect(made.exit == 0, "\(made.errors)")
    #expect(made.output.contains("The key of account \(id) is lost"), "\(made.output)")
    try #require(rename(file, scene.book) == 0)
    let listed = try scene.run("accounts", "--json").output
    #expect(listed.contains(#""label":"lost""#) && !listed.contains("forgotten"), "\(listed)")
    for line in [["log"], ["sessions"], ["whoami"], ["why"], ["export", "--format", "jsonl"]] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 0, "\(line): \(ending.errors)")
      #expect(!ending.output.contains("forgotten"), "\(line): \(ending.output)")
    }
    let renewed = try scene.run("refresh")
    #expect(renewed.exit != 5 && renewed.exit != 0, "\(renewed.output)\(renewed.errors)")
    try scene.logIn(.ada, label: "ada again")
    let both = try scene.run("accounts", "--json").output
    #expect(both.split(separator: "\n").count == 2, "\(both)")
    #expect(try scene.run("whoami").output.contains("ada again"))
    let ended = try scene.run("logout", "--account", String(id))
    #expect(ended.exit != 5, "\(ended.errors)")
    let erased = try scene.run("erase", String(id), "--yes")
    #expect(erased.exit == 0, "\(erased.output)\(erased.errors)")
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  /// The page of a table with these bytes: those of its index begin otherwise.
  private func leafPage(with searched: [UInt8], _ scene: Scene) throws -> Int {
    let bytes = try bytes(scene.book)
    let pages = stride(from: 0, to: bytes.count, by: 4096)
    return try #require(
      pages.first { page in
        bytes[page] == 0x0D && bytes[page..<page + 4096].firstRange(of: searched) != nil
      })
  }

  @Test func `facts that could not be verified are reported each time, after an archive too`()
    throws
  {
    let scene = try Scene()
    try scene.populate()
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DELETE FROM head")
    let file = "\(scene.folder)/new.gatebook"
    #expect(try scene.run("recover", "-o", file).exit == 0)
    let doubt = "could not find the end of the log"
    let doctor = try scene.run("doctor", "--offline", "--book", file).output
    #expect(doctor.contains("note  integrity: ") && doctor.contains(doubt), "\(doctor)")
    #expect(try scene.run("verify", "--book", file).output.contains(doubt))
    let archive = "\(scene.folder)/archive"
    #expect(try scene.run("archive", "-o", archive, "--book", file).exit == 0)
    // The book's own past is whole now, and the archive's is not.
    #expect(try !scene.run("verify", "--book", file).output.contains(doubt))
    let both = try scene.run("verify", "--archive", archive, "--book", file)
    #expect(both.exit == 0)
    #expect(both.output.contains("The archive was recovered"), "\(both.output)")
    #expect(both.output.contains(doubt), "\(both.output)")
    let json = try scene.run("verify", "--archive", archive, "--book", file, "--json").output
    #expect(json.contains(#""endKnown":false"#), "\(json)")
  }

  @Test func `nothing readable makes no book`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try overwrite(scene.book, 0, 400_000)
    let ending = try scene.run("recover", "-o", "\(scene.folder)/new.gatebook")
    #expect(ending.exit == 5, "\(ending.errors)")
    #expect(access("\(scene.folder)/new.gatebook", F_OK) != 0)
    #expect(try scene.run("recover").exit == 2)
    let missing = try scene.run("recover", "-o", "/tmp/none", "--book", "/nowhere/book")
    #expect(missing.exit == 7, "\(missing.errors)")
    let none = "\(scene.folder)/none"
    let nothing = try scene.run("recover", "-o", "\(scene.folder)/new", "--book", none)
    #expect(nothing.exit == 7 && nothing.errors.contains("no book at"), "\(nothing.errors)")
    for file in [none, "\(none)-lock", "\(scene.folder)/new-draft"] {
      #expect(access(file, F_OK) != 0, "\(file)")
    }
  }

  @Test func `of a book that nothing is wrong with that is said`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let whole = try scene.run("recover", "-o", "\(scene.folder)/new.gatebook")
    #expect(whole.exit == 0)
    #expect(whole.errors.contains("The book is undamaged"), "\(whole.errors)")
    #expect(!whole.errors.contains("stop all programs that use the damaged one"), "\(whole.errors)")
    try overwrite(scene.book, 0, 100)
    let broken = try scene.run("recover", "-o", "\(scene.folder)/newer.gatebook")
    #expect(broken.exit == 0)
    #expect(
      broken.errors.contains("stop all programs that use the damaged one"), "\(broken.errors)")
  }

  /// The page with the event in the middle of the log, and others beside it.
  private func middlePage(_ scene: Scene) throws -> Int {
    let reader = try BookReader.open(at: scene.book)
    let position = Position(rawValue: try reader.head().size / 2)
    return try leafPage(with: #require(try reader.event(at: position)).id.bytes, scene)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
    return bytes
  }

  private func overwrite(_ path: String, _ start: Int, _ count: Int) throws {
    let file = open(path, O_WRONLY)
    try #require(file >= 0)
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: count)
    #expect(pwrite(file, zeros, count, start) == count)
  }
}
