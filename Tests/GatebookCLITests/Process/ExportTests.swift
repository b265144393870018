internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

/// `gatebook export`.
struct ExportTests {
  @Test func `lines of JSON are those of the log`() throws {
    let scene = try Scene()
    try scene.populate()
    let sealed = try scene.run("log", "--json", "--key", "none").output
    let known = try scene.run("log", "--json").output
    #expect(try scene.run("export", "--format", "jsonl").output == sealed)
    #expect(try scene.run("export", "--format", "jsonl", "--with-personal").output == known)
    #expect(sealed != known)
    let ben = try scene.run("log", "--json", "--account", "ben").output
    let own = try scene.run(
      "export", "--format", "jsonl", "--with-personal", "--account", "ben")
    #expect(own.output == ben)
    let count = ben.split(separator: "\n").count
    #expect(own.errors.hasPrefix("\(count) events up to position "))
  }

  @Test(arguments: ExportFormat.allCases.map(\.rawValue))
  func `nothing personal is printed unless requested`(_ format: String) throws {
    let scene = try Scene()
    try scene.populate()
    let personal = [
      FakePortalUser.ada.emailAddress, FakePortalUser.ben.emailAddress, "Lovelace", "ada", "ben",
    ]
    for line in [["export"], ["export", "--account", "ben"]] {
      let told = try scene.start(line + ["--format", format]).end()
      #expect(told.exit == 0)
      for text in personal { #expect(!told.output.contains("\"\(text)\"")) }
      #expect(!told.output.contains("@"))
    }
    let all = try scene.run("export", "--format", format, "--with-personal").output
    #expect(all.contains(FakePortalUser.ben.emailAddress))
  }

  @Test(arguments: ExportFormat.allCases.map(\.rawValue))
  func `an export continues where the last one ended`(_ format: String) throws {
    let scene = try Scene()
    try scene.populate()
    let whole = try scene.run("export", "--format", format).output
    let first = "\(scene.folder)/first"
    try scene.run("export", "--format", format, "-o", first)
    let told = try scene.run("export", "--format", format, "-o", first).errors
    let size = try BookReader.open(at: scene.book).head().size
    #expect(told.contains("up to position \(size)."))
    #expect(try TextFile.read(first, what: "export") == whole)
    try scene.run("rename", "second", "--account", "ben")
    let rest = try scene.run("export", "--format", format, "--after", "\(size)").output
    #expect(try scene.run("export", "--format", format).output == whole + rest)
    let refused = try scene.run(
      "export", "--format", format, "--after", "\(size)", "-o", first)
    #expect(refused.exit == 2)
    #expect(try TextFile.read(first, what: "export") == whole)
  }

  @Test func `an export of a time has its events alone`() throws {
    let scene = try Scene()
    try scene.populate()
    let lines = try scene.run("export", "--format", "jsonl").output.split(separator: "\n")
    let times = try lines.map { line in
      try #require(line.firstMatch(of: /"at":"([^"]+)"/)).output.1
    }
    let middle = times[lines.count / 2]
    let later = try scene.run("export", "--format", "jsonl", "--since", String(middle))
    #expect(
      later.output.split(separator: "\n") == zip(lines, times).filter { $1 >= middle }.map(\.0))
    #expect(later.errors.contains("up to position \(lines.count)."), "\(later.errors)")
    let earlier = try scene.run("export", "--format", "jsonl", "--until", String(middle))
    #expect(
      earlier.output.split(separator: "\n") == zip(lines, times).filter { $1 < middle }.map(\.0))
    // After the book's end there is nothing that came too late for this export.
    let count = times.count { $0 < middle }
    #expect(
      earlier.errors == "\(count) events of that time, the last at position \(count).\n")
    let none = try scene.run("export", "--format", "csv", "--until", "2001-01-01")
    #expect(none.errors == "0 events of that time.\n")
    let today = try scene.run("export", "--format", "csv", "--since", "tomorrow")
    #expect(today.exit == 0)
    #expect(today.errors.hasPrefix("0 events up to position "))
    #expect(try scene.run("export", "--format", "csv", "--since", "soon").exit == 2)
  }

  @Test func `each line of OCSF has what its class requires`() throws {
    let scene = try Scene()
    try scene.populate()
    try scene.run("logout", "--account", "ben")
    let lines = try scene.run("export", "--format", "ocsf").output.split(separator: "\n")
    var activities: Set<String> = []
    for line in lines {
      let event = try #require(PlainJSON.read(Array(line.utf8)))
      let activity = try #require(event["activity_id"]?.integer)
      #expect(event["class_uid"]?.integer == 3002)
      #expect(event["category_uid"]?.integer == 3)
      #expect(event["type_uid"]?.integer == 300_200 + activity)
      #expect(event["severity_id"]?.integer != nil)
      #expect(event["status_id"]?.integer != nil)
      #expect(try #require(event["time"]?.integer) > 1_600_000_000_000)
      #expect(event["metadata"]?["version"]?.string == "1.8.0")
      #expect(event["metadata"]?["product"]?["vendor_name"]?.string == "Gatebook")
      #expect(event["user"]?["uid"]?.string?.isEmpty == false)
      #expect(event["service"]?["name"]?.string?.hasPrefix("http") == true)
      activities.insert(try #require(event["activity_name"]?.string))
    }
    #expect(activities == ["Logon", "Logoff", "Preauth", "Account Switch"])
  }

  @Test func `a full disk is reported, and nothing counts as done`() throws {
    let scene = try Scene()
    try scene.populate()
    let full = try scene.run("export", "--format", "jsonl", "-o", "/dev/full")
    #expect(full.exit == 1)
    #expect(!full.errors.contains("To continue later"), "\(full.errors)")
    let nowhere = try scene.run("export", "--format", "jsonl", "-o", "\(scene.folder)/none/file")
    #expect(nowhere.exit == 1)
    #expect(try scene.run("export", "--format", "jsonl", "--after", "4000").exit == 2)
  }

  @Test func `nothing is written over another book`() throws {
    let scene = try Scene()
    try scene.populate()
    let other = "\(scene.folder)/other.gatebook"
    #expect(try scene.run("backup", other).exit == 0)
    for line in [
      ["export", "--format", "csv"], ["report"], ["checkpoint"], ["prove", "2"],
    ] {
      let told = try scene.start(line + ["-o", other]).end()
      #expect(told.exit == 2 && told.errors.contains("is a database"), "\(line): \(told.errors)")
    }
    #expect(try scene.run("verify", "--book", other).exit == 0)
    #expect(try scene.run("backup", other, "--force").exit == 0)
  }

  @Test func `an export that nobody reads to its end is not told as done`() throws {
    let scene = try Scene()
    try scene.populate()
    let ending = try scene.start(
      ["export", "--format", "jsonl"], ChildProcess.Streams(hasNoReader: true)
    ).end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.errors.contains("The reader of the output ended"), "\(ending.errors)")
    #expect(!ending.errors.contains("To continue later"))
  }

  @Test func `what a killed export has left goes with the next one`() throws {
    let scene = try Scene()
    try scene.populate()
    let file = "\(scene.folder)/out.jsonl"
    let (left, living) = ("\(file).gatebook-999999999.part", "\(file).gatebook-\(getpid()).part")
    for path in [left, living] { try TextFile.write([65], to: path) }
    #expect(try scene.run("export", "--format", "jsonl", "-o", file).exit == 0)
    #expect(access(left, F_OK) != 0)
    #expect(access(living, F_OK) == 0)
    #expect(access(file, F_OK) == 0)
  }

  @Test(arguments: ["export", "report", "checkpoint", "prove"])
  func `the book and its key are never written over`(_ command: String) throws {
    let scene = try Scene()
    try scene.populate()
    let key = try scene.keyFile()
    let link = "\(scene.folder)/link"
    try #require(symlink(scene.book, link) == 0)
    let more = ["export": ["--format", "jsonl"], "prove": ["4"]][command] ?? []
    for path in [scene.book, key, link, "\(scene.book)-lock"] {
      let refused = try scene.start([command] + more + ["-o", path]).end()
      #expect(refused.exit == 2, "\(path): \(refused.errors)")
    }
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("whoami").output.contains("cleo"))
  }

  @Test func `a link to no file yet stays a link`() throws {
    let scene = try Scene()
    try scene.populate()
    let (link, file) = ("\(scene.folder)/link", "\(scene.folder)/file")
    try #require(symlink(file, link) == 0)
    #expect(try scene.run("export", "--format", "jsonl", "-o", link).exit == 0)
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try !TextFile.read(file, what: "export").isEmpty)
  }

  @Test(arguments: ["=1", "+1", "-1", "@a", "\u{FF1D}1"])
  func `a cell is never a formula`(_ text: String) {
    #expect(CSVWriter.cell(text).first == UInt8(ascii: "'"))
  }

  @Test func `each line has its cells`() throws {
    let scene = try Scene()
    try scene.populate()
    let table = try scene.run("export", "--format", "csv").output
    let lines = table.split(separator: "\r\n")
    let log = try scene.run("log", "--json").output.split(separator: "\n")
    #expect(lines.count == log.count + 1)
    for line in lines.dropFirst() {
      #expect(line.first?.isNumber == true)
      #expect(line.contains(#","{""#) || line.contains(#","{}""#))
    }
  }
}
