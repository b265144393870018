internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// `gatebook archive`, and every command on the continued book and on the archive.
struct ArchiveCommandTests {
  @Test func `a book continues after its archive, and nobody has to log in`() throws {
    let scene = try Scene()
    try scene.populate()
    let checkpoint = "\(scene.folder)/old.checkpoint"
    #expect(try scene.run("checkpoint", "-o", checkpoint).exit == 0)
    let size = try scene.run("log", "--json").output.split(separator: "\n").count
    try scene.logIn(.ada, label: "ada")
    let accounts = try scene.run("accounts", "--json").output
    let whoami = try scene.run("whoami", "--json").output
    let end = try scene.run("log", "--json").output.split(separator: "\n").count
    let file = "\(scene.folder)/past.gatebook"
    let made = try scene.run("archive", "-o", file)
    #expect(made.exit == 0, "\(made.errors)")
    #expect(made.output.contains("\(end) events are in the archive"))
    #expect(try scene.run("accounts", "--json").output == accounts)
    #expect(try scene.run("whoami", "--json").output == whoami)
    #expect(try scene.run("restore", "--all").exit == 0)
    #expect(try scene.run("sync").exit == 0)
    #expect(try scene.run("refresh", "--account", "ben").exit == 0)
    let log = try scene.run("log")
    #expect(log.output.contains("book.continued"))
    #expect(!log.output.contains("book.created"))
    #expect(log.errors.contains("Events 1 to \(end) are in the archive, \(file)"), "\(log.errors)")
    try expectHonest(scene, file, end, checkpoint, size)
  }

  private func expectHonest(
    _ scene: Scene, _ file: String, _ end: Int, _ checkpoint: String, _ size: Int
  ) throws {
    for line in [
      ["show", "2"], ["why", "2"], ["prove", "2"], ["show", "--as-of", "6"],
      ["sessions", "--as-of", "2h ago"],
      ["report", "-o", "\(scene.folder)/report.html", "--until", "2h ago"],
    ] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 2, "\(line): \(ending.exit)")
      #expect(ending.errors.contains("in the archive"), "\(line): \(ending.errors)")
      #expect(ending.errors.contains(file) || line[0] == "prove", "\(line): \(ending.errors)")
      #expect(try scene.start(line + ["--book", file]).end().exit == 0, "\(line)")
    }
    let why = try scene.run("why", "--account", "ada")
    #expect(why.exit == 0, "\(why.errors)")
    for line in [
      ["stats"], ["findings"], ["sessions"], ["export", "--format", "jsonl"], ["doctor"],
    ] {
      #expect(try scene.start(line).end().exit == 0, "\(line)")
      #expect(try scene.start(line + ["--book", file]).end().exit == 0, "\(line)")
    }
    for line in [["rebuild", "--check"], ["rebuild"], ["rebuild", "--check"]] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
    }
    let alone = try scene.run("verify")
    #expect(alone.exit == 0, "\(alone.output)")
    #expect(alone.output.contains("Events 1 to \(end) are in an archive that was not given"))
    let both = try scene.run("verify", "--archive", file)
    #expect(both.exit == 0, "\(both.output)")
    #expect(both.output.contains("which agrees with itself and the book"))
    #expect(try scene.run("verify", "--book", file).exit == 0)
    let old = try scene.run("verify", "--against", checkpoint)
    #expect(old.exit == 1, "\(old.errors)")
    #expect(old.errors.contains("all in the archive"), "\(old.errors)")
    #expect(try scene.run("verify", "--against", checkpoint, "--archive", file).exit == 0)
    #expect(try scene.run("verify", "--against", checkpoint, "--book", file).exit == 0)
  }

  @Test func `an archive is never written, and no file is written over`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let file = "\(scene.folder)/past.gatebook"
    #expect(try scene.run("archive", "-o", file).exit == 0)
    for line in [["rename", "ada", "eve"], ["logout"], ["archive", "-o", "\(file)2"]] {
      let refused = try scene.start(line + ["--book", file]).end()
      #expect(refused.exit == 7, "\(line): \(refused.errors)")
      #expect(refused.errors.contains("This is an archive"), "\(refused.errors)")
    }
    let again = try scene.run("archive", "-o", file)
    #expect(again.exit == 1)
    #expect(again.errors.contains("The file already exists"), "\(again.errors)")
    #expect(try scene.run("verify", "--archive", file).exit == 0)
    #expect(try scene.run("archive").exit == 2)
  }

  @Test func `archives follow each other`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let files = (1...3).map { "\(scene.folder)/past\($0).gatebook" }
    var before = 0
    for file in files {
      let made = try scene.run("archive", "-o", file)
      #expect(made.exit == 0, "\(made.errors)")
      let end =
        try #require(
          made.output.firstMatch(of: /continues at position (\d+)/).flatMap { Int($0.1) }) - 1
      let events =
        before == 0
        ? "\(end) events are"
        : before + 1 == end
          ? "The event at position \(end) is" : "The events \(before + 1) to \(end) are"
      #expect(made.output.hasPrefix("\(events) in the archive"), "\(made.output)")
      #expect(made.output.contains("in the earlier archives") == (before > 0), "\(made.output)")
      before = end
      #expect(try scene.run("refresh").exit == 0)
      #expect(try scene.run("verify", "--archive", file).exit == 0)
    }
    #expect(try scene.run("verify", "--book", files[2], "--archive", files[1]).exit == 0)
    let wrong = try scene.run("verify", "--archive", files[0])
    #expect(wrong.exit == 5)
    #expect(wrong.output.contains("The book agrees with itself, but not with the archive."))
    #expect(!wrong.output.contains("only data beside them"), "\(wrong.output)")
    #expect(wrong.errors.contains("give the archive that the book continues"), "\(wrong.errors)")
    #expect(try scene.run("rebuild", "--check").exit == 0)
    #expect(try scene.run("logout").exit == 0)
  }

  @Test func `the figures and the report know what they have of the past`() throws {
    let scene = try Scene()
    try scene.populate()
    let accounts = try scene.run("accounts").output
    #expect(try scene.run("archive", "-o", "\(scene.folder)/past").exit == 0)
    let figures = try scene.run("stats")
    #expect(!figures.output.contains("first event"), "\(figures.output)")
    #expect(!figures.output.contains("for each event"), "\(figures.output)")
    #expect(figures.errors.contains("These figures include them"), "\(figures.errors)")
    let days = try scene.run("stats", "--account", "ada", "--by", "day")
    #expect(days.errors.contains("These figures do not include them."), "\(days.errors)")
    let page = try scene.run("report", "-o", "-").output
    let active = page.ranges(of: "<td>active</td>").count
    #expect(active == accounts.ranges(of: " active ").count && active == 3, "\(active)")
    let one = try scene.run("report", "-o", "-", "--account", "ada").output
    #expect(one.ranges(of: "<td>active</td>").count == 1)
  }

  @Test func `where nobody waits no longer wait is advised`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    // The byte of archives.
    let other = try HeldByte(1 << 40, of: scene.book)
    let ending = try scene.run("archive", "-o", "\(scene.folder)/past")
    #expect(ending.exit == 6, "\(ending.errors)")
    #expect(!ending.errors.contains("--wait"), "\(ending.errors)")
    other.release()
  }

  @Test func `a position in an archive is refused alike, also of a kept event`() throws {
    let scene = try Scene()
    try scene.populate()
    let file = "\(scene.folder)/past.gatebook"
    #expect(try scene.run("archive", "-o", file).exit == 0)
    let connection = try Connection.open(scene.book, flags: SQLITE_OPEN_READONLY)
    let kept = try connection.integer("SELECT min(position) FROM opening_event")
    try #require(kept > 0)
    #expect(try scene.run("show", "\(kept)").exit == 0)
    for line in [
      ["show", "--account", "ada", "--as-of"], ["show", "--account", "ada", "--diff"],
      ["sessions", "--as-of"], ["prove"],
    ] {
      let refused = try scene.start(line + ["\(kept)"]).end()
      #expect(refused.exit == 2, "\(line): \(refused.errors)")
      #expect(refused.errors.contains("is in the archive, \(file)."), "\(line): \(refused.errors)")
    }
  }

  @Test func `a feed that continues misses no event of an archive`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let file = "\(scene.folder)/past.gatebook"
    let made = try scene.run("archive", "-o", file, "--json")
    let end = try #require(made.output.firstMatch(of: /"size":([0-9]+)/).flatMap { Int($0.1) })
    for line in [["export", "--format", "jsonl"], ["log"]] {
      let refused = try scene.start(line + ["--after", "\(end - 1)"]).end()
      #expect(refused.exit == 2, "\(line): \(refused.errors)")
      #expect(refused.errors.contains(file), "\(line): \(refused.errors)")
      #expect(refused.errors.contains("events after \(end - 1) are in the archive"))
      #expect(refused.errors.contains("continue here with `--after \(end)`"), "\(refused.errors)")
      #expect(refused.output.isEmpty)
      #expect(try scene.start(line + ["--after", "\(end)"]).end().exit == 0)
    }
    let again = "\(scene.folder)/later.gatebook"
    #expect(try scene.run("archive", "-o", again).exit == 0)
    for (position, place) in [(2, file), (end + 1, again)] {
      let named = try scene.run("show", "\(position)")
      #expect(named.exit == 2 && named.errors.contains(place), "\(named.errors)")
      let next = try scene.run("log", "--after", "\(position - 1)")
      #expect(next.exit == 2 && next.errors.contains(place), "\(next.errors)")
    }
  }

  @Test func `an export says where it ended, after an archive too`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let file = "\(scene.folder)/past.gatebook"
    let made = try scene.run("archive", "-o", file, "--json")
    let end = try #require(made.output.firstMatch(of: /"size":([0-9]+)/).flatMap { Int($0.1) })
    let all = try scene.run("export", "--format", "jsonl")
    #expect(
      all.errors.split(separator: "\n").last?.contains("add `--after \(end + 1)`")
        == true,
      "\(all.errors)")
  }

  @Test func `processes that have the book open continue`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let follower = try scene.start(["log", "--follow", "--json", "--kind", "account.renamed"])
    try scene.run("rename", "ada", "ann")
    #expect(follower.read(until: "\n").contains("account.renamed"))
    let file = "\(scene.folder)/past.gatebook"
    #expect(try scene.run("archive", "-o", file).exit == 0)
    #expect(try scene.run("rename", "ann", "eve").exit == 0)
    #expect(follower.read(until: "\n").contains("account.renamed"))
    follower.signal(SIGINT)
    #expect(follower.end().exit == 130)
  }
}
