internal import CSQLite
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

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

  @Test func `what is around the book is looked at, and each thing says what to do`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let healthy = try scene.run("doctor")
    for line in [
      "ok    folder: ", "ok    disk: ", "ok    locks: No lock is held.", "ok    clock: ",
      "ok    \(scene.portal.url): The server answers.", "note  backups: No backup",
    ] {
      #expect(healthy.output.contains(line), "\(line): \(healthy.output)")
    }
    let writer = try HeldByte(1, of: scene.book)
    #expect(
      try scene.run("doctor", "--offline").output.contains("note  locks: A process is writing"))
    writer.release()
    scene.portal.stop()
    let alone = try scene.run("doctor", "--wait", "1")
    #expect(alone.exit == 0)
    #expect(alone.output.contains("note  \(scene.portal.url): The server could not be reached"))
    #expect(try !scene.run("doctor", "--offline").output.contains(scene.portal.url))
    try #require(chmod(scene.book, 0o644) == 0)
    try #require(chmod("\(scene.folder)/data/gatebook", 0o777) == 0)
    let open = try scene.run("doctor", "--offline").output
    #expect(open.contains("chmod 600 \(scene.book)"), "\(open)")
    #expect(open.contains("chmod go-w \(scene.folder)/data/gatebook"), "\(open)")
  }

  @Test func `a folder or a foreign file in the place of a book says what to do`() throws {
    let scene = try Scene()
    let folder = try scene.run("doctor", "--book", scene.folder)
    #expect(folder.exit == 1)
    #expect(folder.output.contains("is a directory, but a book is a file."), "\(folder.output)")
    #expect(folder.output.contains("Give the path of the book's file."))
    let path = "\(scene.folder)/letter"
    try TextFile.write(Array("Dear Ada, this is no book at all.\n".utf8), to: path)
    let foreign = try scene.run("doctor", "--book", path)
    #expect(foreign.exit == 1)
    #expect(foreign.output.contains("bad   book: "), "\(foreign.output)")
    #expect(foreign.output.contains("      Check the path."), "\(foreign.output)")
    #expect(foreign.output.contains("gatebook recover -o FILE"), "\(foreign.output)")
    let none = try scene.run("doctor", "--book", "\(scene.folder)/none")
    #expect(none.output.contains("There is no book at"), "\(none.output)")
  }

  @Test func `a changed secret is reported with a remedy, and the remedy works`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("UPDATE vault SET sealed = zeroblob(length(sealed)) WHERE purpose = 'session'")
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(doctor.output.contains("bad   secrets: "), "\(doctor.output)")
    #expect(doctor.output.contains("Log in again with these accounts"), "\(doctor.output)")
    let use = try scene.run("request", scene.portal.url + "/api/jsonws/user")
    #expect(use.exit == 5)
    #expect(use.errors.contains("Log the account in again"), "\(use.errors)")
    try scene.logIn(.ada)
    #expect(try scene.run("doctor", "--offline").exit == 0)
  }

  @Test func `what somebody put into the book or took out is named, and a recovery is without it`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let book = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try book.execute("DROP TRIGGER event_is_never_deleted")
    try book.execute(
      "CREATE TRIGGER t1 AFTER INSERT ON event BEGIN DELETE FROM vault; END")
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(
      doctor.output.contains(
        "bad   schema: The trigger event_is_never_deleted is missing. The trigger t1 does not belong to "
          + "Gatebook."
      ), "\(doctor.output)")
    let new = "\(scene.folder)/new.gatebook"
    let recovery = try scene.run("recover", "-o", new)
    #expect(recovery.exit == 0)
    #expect(!recovery.errors.contains("The book is undamaged"), "\(recovery.errors)")
    let mended = try scene.run("doctor", "--offline", "--book", new)
    #expect(mended.exit == 0, "\(mended.output)")
    #expect(mended.output.contains("ok    schema: "), "\(mended.output)")
  }

  @Test func `an account whose key is missing without an erase is reported with a remedy`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try !scene.run("doctor", "--offline").output.contains("account keys"))
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
      .execute("UPDATE account SET key = NULL")
    for key in ["automatic", "none"] {
      let doctor = try scene.run("doctor", "--offline", "--key", key)
      #expect(doctor.exit == 1)
      #expect(doctor.output.contains("bad   account keys: The key of "), "\(doctor.output)")
      #expect(!doctor.output.contains("Log in again with these accounts"), "\(doctor.output)")
    }
    let new = "\(scene.folder)/new.gatebook"
    #expect(try scene.run("recover", "-o", new).exit == 0)
    try scene.logIn(.ada, label: "eve", "--book", new)
    #expect(try !scene.run("doctor", "--offline", "--book", new).output.contains("account keys"))
  }

  @Test func `a clock that is earlier than the last event is reported`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let book = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try book.execute("DROP TRIGGER event_is_never_updated")
    try book.execute(
      "UPDATE event SET at = at + 7200000000 WHERE position = (SELECT size FROM head)")
    let told = try scene.run("doctor", "--offline").output
    #expect(told.contains("note  clock: "), "\(told)")
    #expect(told.contains("before the last event"))
  }

  @Test(
    arguments: [
      ("3.6.23", false), ("3.7.0", true), ("3.40.1", true), ("3.51.2", true), ("3.51.3", false),
      ("4.0.0", false), ("unknown", true),
    ])
  @MainActor func `versions of SQLite with the WAL-reset race are known`(
    _ version: String, _ hasRace: Bool
  ) {
    #expect(Examination.hasWALRace(version) == hasRace)
  }
}
