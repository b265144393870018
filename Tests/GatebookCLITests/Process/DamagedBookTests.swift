internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// What `verify` tells people of a damaged book: what is wrong, what can still be relied on, what
/// to do.
struct DamagedBookTests {
  private static let damages = [
    (
      "UPDATE event SET at = at + 1 WHERE position = 4",
      "The first bad position is 4. The events before it agree with their hashes; nothing from 4 on is "
        + "proven."
    ),
    (
      "DELETE FROM event WHERE position = 1",
      "The first event is bad, so nothing in the book is proven."
    ),
    (
      "UPDATE head SET root = zeroblob(32)",
      "Each event agrees with its own hash, but together they do not match what was signed or counted "
        + "before. It is not possible to tell which of them were changed."
    ),
    (
      "INSERT INTO subtree VALUES (24, 0, zeroblob(32))",
      "events agree with their hashes and with the root: only data beside them is damaged."
    ),
  ]

  @Test
  func `a summary that hides events is reported with the command that rebuilds it, and that works`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("INSERT INTO block VALUES (8, 90, 1, 2, 3)")
    #expect(try scene.run("log", "--kind", "login").errors.contains("No events match."))
    let verify = try scene.run("verify")
    #expect(verify.exit == 5)
    #expect(
      verify.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "events agree with their hashes and with the root: only their indexes and computed states differ."
      ),
      "\(verify.output)")
    #expect(verify.errors.contains("`gatebook rebuild` computes them again"), "\(verify.errors)")
    #expect(try scene.run("verify", "--json").output.contains(#""logWhole":true"#))
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(doctor.output.contains("bad   projections: "), "\(doctor.output)")
    #expect(doctor.output.contains("Run `gatebook rebuild`."), "\(doctor.output)")
    #expect(doctor.output.contains("ok    integrity: The log agrees"), "\(doctor.output)")
    #expect(try scene.run("rebuild").exit == 0)
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("log", "--kind", "login").output.contains("login.succeeded"))
  }

  @Test(arguments: ["position > 4", "position = 4"])
  func `an incomplete log is not rebuilt, and doctor does not advise it`(
    _ lost: String
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.run("rename", "ada", "eve")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE \(lost)")
    let count = try connection.integer("SELECT count(*) FROM event")
    for line in [["rebuild"], ["rebuild", "--account", "eve"]] {
      let rebuild = try scene.start(line).end()
      #expect(rebuild.exit == 5, "\(rebuild.errors)")
      #expect(rebuild.errors.contains("The log is damaged"), "\(rebuild.errors)")
    }
    #expect(try connection.integer("SELECT count(*) FROM event") == count)
    let check = try scene.run("rebuild", "--check")
    #expect(!check.errors.contains("`gatebook rebuild` makes"), "\(check.errors)")
    #expect(
      check.exit == 0 || check.errors.contains("Do not rebuild them: the log is damaged"),
      "\(check.errors)")
    let doctor = try scene.run("doctor", "--offline")
    #expect(doctor.exit == 1)
    #expect(!doctor.output.contains("Run `gatebook rebuild`"), "\(doctor.output)")
    let bad = doctor.output.split(separator: "\n").first { $0.hasPrefix("bad") }
    #expect(bad?.hasPrefix("bad   integrity: ") == true, "\(doctor.output)")
    #expect(doctor.output.contains("Keep this file unchanged"), "\(doctor.output)")
  }

  @Test func `a log with a changed event is not rebuilt, nor is that advised`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    // When the login was, that the account's state tells.
    try connection.execute(
      """
      UPDATE event SET at = at - 3600000000 WHERE kind = (
        SELECT number FROM kind WHERE name = 'login.succeeded')
      """)
    let before = try connection.text("SELECT group_concat(state) FROM account_state")
    let rebuild = try scene.run("rebuild")
    #expect(rebuild.exit == 5, "\(rebuild.errors)")
    #expect(rebuild.errors.contains("so no state is computed from it"), "\(rebuild.errors)")
    let check = try scene.run("rebuild", "--check")
    #expect(check.exit == 5)
    #expect(check.errors.contains("Do not rebuild them: the log is damaged"), "\(check.errors)")
    #expect(try connection.text("SELECT group_concat(state) FROM account_state") == before)
  }

  @Test(arguments: [
    ["log"], ["log", "--json"], ["show", "4"], ["show", "4", "--json"], ["why", "4"],
    ["why", "4", "--json"],
  ])
  func `an event that was changed is printed, and told`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let before = try scene.start(line).end()
    #expect(before.exit == 0 && before.errors.isEmpty, "\(before.errors)")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET process = process + 1 WHERE position = 4")
    let ending = try scene.start(line).end()
    #expect(ending.exit == 5)
    #expect(ending.output.isEmpty == before.output.isEmpty)
    #expect(
      ending.errors.contains("The event at position 4 is not what was recorded."),
      "\(ending.errors)")
    let other = try scene.run("show", "1")
    #expect(other.exit == 0)
  }

  @Test func `an event that is missing is no event of a shorter log, nor one that was lost`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.run("rename", "ada", "eve")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    let login = try connection.integer(
      "SELECT position FROM event e JOIN kind k ON k.number = e.kind WHERE name = 'login.started'")
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = \(login)")
    for line in [["why", "--account", "eve"], ["why", "\(login)"], ["show", "\(login)"]] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 5, "\(line): \(ending.output) \(ending.errors)")
      #expect(
        ending.errors.contains("The event at position \(login) is missing"), "\(ending.errors)")
    }
    #expect(try scene.start(["show", "1000"]).end().exit == 2)
  }

  @Test(arguments: [
    ("position = 3", "The event at position 3 is missing"),
    ("position IN (2, 3, 5)", "The events 2 to 3, 5 are missing"),
    ("position = 1", "The event at position 1 is missing"),
    ("position > 4", "The events 5 to"), ("position > 0", "The events 1 to"),
  ])
  func `a log names the events that are missing from it`(_ lost: String, _ told: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE \(lost)")
    let count = try connection.integer("SELECT count(*) FROM event")
    for line in [
      ["log"], ["log", "--json"], ["log", "--after", "0"], ["log", "--follow"],
      ["log", "--follow", "--json"],
    ] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 5, "\(line): \(ending.errors)")
      #expect(ending.errors.contains(told), "\(line): \(ending.errors)")
      guard line.last == "--json" else { continue }
      #expect(ending.output.split(separator: "\n").count == count)
    }
    // A filter leaves events out anyway.
    #expect(try scene.run("log", "--kind", "login", "--json").exit == 0)
  }

  @Test func `a part of a log has no gap, and a gap that appears while following is reported`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let follower = try scene.start(["log", "--follow", "--json", "--limit", "1"])
    #expect(follower.read(until: "\n").hasPrefix("{"))
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = 2")
    for line in [
      ["log", "--limit", "1"], ["log", "--after", "2"], ["log", "--after", "0", "--limit", "1"],
    ] {
      #expect(try scene.start(line).end().exit == 0, "\(line)")
    }
    #expect(try scene.run("log", "--after", "0", "--limit", "2").exit == 5)
    let end = try connection.integer("SELECT max(position) FROM event")
    try connection.execute("UPDATE head SET size = size + 2")
    let ending = follower.end()
    #expect(ending.exit == 5)
    #expect(
      ending.errors.contains("The events \(end + 1) to \(end + 2) are missing"), "\(ending.errors)")
  }

  @Test func `why tells what a recovery has found, though not what the state comes from`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout", "--account", "ada").exit == 0)
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute(
      """
      DELETE FROM event
      WHERE kind = (SELECT number FROM kind WHERE name = 'logout.requested')
      """)
    let new = "\(scene.folder)/recovered"
    #expect(try scene.run("recover", "-o", new).exit == 0)
    let why = try scene.run("--book", new, "why", "--account", "ada")
    #expect(why.exit == 0, "\(why.errors)")
    #expect(why.errors.contains("was lost before the book was recovered"), "\(why.errors)")
    #expect(why.output.contains("The login succeeded"), "\(why.output)")
  }

  @Test func `a gap is reported as one, also against a checkpoint, and is no early end`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let kept = "\(scene.folder)/kept"
    #expect(try scene.run("checkpoint", "-o", kept).exit == 0)
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    let end = try connection.integer("SELECT max(position) FROM event")
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = 3")
    let hole = try scene.run("verify", "--against", kept)
    #expect(hole.exit == 5)
    #expect(hole.output.contains("- The event at position 3 is missing."), "\(hole.output)")
    #expect(
      hole.output.contains("Not all of the \(end) events that the checkpoint covers can be read"),
      "\(hole.output)")
    #expect(!hole.output.contains("The book ends at"), "\(hole.output)")
    try connection.execute("DELETE FROM event WHERE position > 4")
    let cut = try scene.run("verify", "--against", kept)
    #expect(
      cut.output.contains("The book ends at position 4, but the checkpoint covers \(end) events."),
      "\(cut.output)")
  }

  @Test(arguments: ["log", "verify", "accounts"])
  func `a file of no bytes is named for what it is`(_ command: String) throws {
    let scene = try Scene()
    let file = "\(scene.folder)/empty.gatebook"
    try TextFile.write([], to: file)
    let ending = try scene.run(command, "--book", file)
    #expect(ending.exit == 7)
    #expect(ending.errors.contains("\(file) is empty, so it is not a book."), "\(ending.errors)")
  }

  @Test(arguments: [
    "DELETE FROM event WHERE position > 4", "DELETE FROM event WHERE position = 3",
    "UPDATE head SET root = zeroblob(32)",
    "UPDATE head SET size = size + 1",
  ])
  func `a head that does not agree with the log's end is not signed`(_ change: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("checkpoint").exit == 0)
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute(change)
    let ending = try scene.start(["checkpoint"]).end()
    #expect(ending.exit == 5, "\(ending.errors)")
    #expect(ending.output.isEmpty)
  }

  @Test(arguments: damages.indices)
  func `a damaged book is reported with what is left of it and what to do`(_ index: Int) throws {
    let (change, rest) = Self.damages[index]
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    for trigger in ["event_is_never_updated", "event_is_never_deleted"] {
      try connection.execute("DROP TRIGGER \(trigger)")
    }
    try connection.execute(change)
    let ending = try scene.run("verify")
    #expect(ending.exit == 5)
    #expect(ending.output.hasPrefix("The book is damaged or was tampered with.\n"))
    #expect(ending.output.contains(rest), "\(ending.output)")
    #expect(ending.output.contains("\n- "), "\(ending.output)")
    #expect(ending.errors.contains("Next: keep this file"), "\(ending.errors)")
    #expect(try scene.run("verify", "--quiet").errors.isEmpty)
  }
}
