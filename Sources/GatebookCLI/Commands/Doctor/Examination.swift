internal import Gatebook
internal import GatebookCurl
internal import Glibc

/// Looks at a book and at what it needs around it; writes nothing.
@MainActor struct Examination {
  private let call: Call
  private var path: String { call.globals.book }

  init(_ call: Call) {
    self.call = call
  }

  /// All findings, in the order of their importance to one another.
  func findings() async -> [Observation] {
    var findings = [program, sqlite, curl, suffixes, clock]
    findings += files
    if let journal { findings.append(journal) }
    do throws(GatebookError) {
      let reader = try BookReader.open(at: path)
      findings.append(try book(reader))
      findings.append(try projections(reader))
      findings.append(try outbox(reader))
      findings += key(reader)
    } catch {
      findings.append(Observation("book", .bad, error.message, remedy: error.remedy))
      return findings
    }
    findings.append(await integrity())
    return findings
  }

  // MARK: Around the book

  private var program: Observation {
    Observation("gatebook", .good, "Version \(CommandTable.version).")
  }

  private var curl: Observation {
    guard let handle = dlopen("libcurl.so.4", RTLD_LAZY) else {
      return Observation(
        "libcurl", .bad, "libcurl is not installed: no server can be reached.",
        remedy: "Install libcurl4.")
    }
    defer { dlclose(handle) }
    return Observation("libcurl", .good, Self.text("curl_version", in: handle) ?? "Installed.")
  }

  private var sqlite: Observation {
    // The process is linked with SQLite, so its own name space knows it.
    let version = Self.text("sqlite3_libversion", in: nil) ?? "unknown"
    return Observation(
      "SQLite", .good,
      "Version \(version); WAL checkpoints are made only under the writer's lock.")
  }

  /// What a library's function without arguments says.
  private static func text(_ function: String, in library: UnsafeMutableRawPointer?) -> String? {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    guard let symbol = dlsym(library, function) else { return nil }
    return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
  }

  private var suffixes: Observation {
    guard PublicSuffixList() == nil else {
      return Observation("libpsl", .good, "The list of public suffixes is installed.")
    }
    return Observation(
      "libpsl", .note, "libpsl is not installed: a cookie's domain must then be the host itself.",
      remedy: "Install libpsl5.")
  }

  private var clock: Observation {
    let now = call.surroundings.clock.now().wall
    return Observation("clock", .good, "It is \(TimeText.machine(now)).")
  }

  // MARK: Files

  private var files: [Observation] {
    [path, path + "-wal", path + "-lock"].compactMap(file)
  }

  private func file(_ path: String) -> Observation? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let name = String(path.split(separator: "/").last ?? "")
    guard status.st_mode & 0o077 == 0 else {
      return Observation(
        name, .note, "Others can read or write this file; what is secret in it is sealed.",
        remedy: "chmod 600 \(path)")
    }
    return Observation(name, .good, "\(status.st_size) bytes, only for its owner.")
  }

  /// How SQLite keeps its journal: bytes 18 and 19 of the file (sqlite.org/fileformat.html).
  private var journal: Observation? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 20)
    guard read(descriptor, &header, header.count) == header.count else { return nil }
    guard header.starts(with: "SQLite format 3".utf8) else { return nil }
    // Nobody writes to an archive: it needs no log beside it.
    if (try? BookReader.open(at: path).isArchive()) == true {
      return Observation("journal", .good, "This is an archive: it never changes again.")
    }
    guard header[18] == 2, header[19] == 2 else {
      return Observation(
        "journal", .bad, "The book is not in WAL mode.",
        remedy: "Open it for writing once, such as with `gatebook restore`.")
    }
    return Observation("journal", .good, "The book is in WAL mode.")
  }

  // MARK: The book

  private func book(_ reader: BookReader) throws(GatebookError) -> Observation {
    let head = try reader.head()
    let accounts = try reader.accounts().count
    return Observation(
      "book", .good, "\(head.size) events, \(accounts) accounts; key source: \(reader.keySource).")
  }

  private func projections(_ reader: BookReader) throws(GatebookError) -> Observation {
    let verdict = try reader.checkProjections()
    guard let problem = verdict.problems.first else {
      return Observation("projections", .good, "Accounts and sessions agree with the log.")
    }
    return Observation("projections", .bad, problem, remedy: "Run `gatebook rebuild`.")
  }

  private func outbox(_ reader: BookReader) throws(GatebookError) -> Observation {
    var waiting = 0
    for context in try reader.accounts() {
      waiting += try reader.state(of: context.account)?.outbox.count ?? 0
    }
    guard waiting > 0 else { return Observation("outbox", .good, "Nothing waits for a server.") }
    let deliveries =
      waiting == 1 ? "1 delivery to a server waits" : "\(waiting) deliveries to servers wait"
    return Observation(
      "outbox", .note, "\(deliveries).",
      remedy: "`gatebook sync` delivers them: logouts and revocations that no server has heard.")
  }

  // MARK: The key

  /// Where the key is, whether it answers, and what to do: the book's own word first.
  private func key(_ reader: BookReader) -> [Observation] {
    let place = KeyPlace(reader, folder: call.surroundings.keyFolder)
    guard call.globals.key != .none else {
      return [Observation("key", .note, "It is \(place); not looked for: `--key none`.")]
    }
    do {
      _ = try BookReader.open(at: path, key: try call.keySource(mayAsk: false))
      let text =
        call.globals.key == .automatic
        ? "The book's key is at hand: it is \(place)."
        : "`--key` names a key that opens the book. By the book it is \(place)."
      return [Observation("key", .good, text)] + unfinishedMove(reader)
    } catch let error as GatebookError {
      // A passphrase that nobody was asked for is nothing to mend.
      let isAsked = reader.keySource == "passphrase" && error.code == .keyMissing
      return [
        Observation(
          "key", isAsked ? .note : .bad, "The book's key is \(place). \(error.message)",
          remedy: error.remedy)
      ]
    } catch {
      return [Observation("key", .bad, "It is not known where keys are.", remedy: "Give `--key`.")]
    }
  }

  /// What an interrupted move has left.
  private func unfinishedMove(_ reader: BookReader) -> [Observation] {
    guard let former = reader.keyDescription.formers.first else { return [] }
    let target =
      switch reader.keyDescription.parameters["path"]?.text {
      case let path?: "file:\(path)"
      case nil: reader.keySource
      }
    return [
      Observation(
        "key", .note, "It has moved, and may still be at its former place too (\(former.source)).",
        remedy: "`gatebook key move \(target)` removes it there.")
    ]
  }

  private func integrity() async -> Observation {
    do throws(GatebookError) {
      let verdict = try await BookVerifier(path: path).verify()
      guard let problem = verdict.problems.first else {
        return Observation("integrity", .good, "The book agrees with itself.")
      }
      return Observation("integrity", .bad, problem, remedy: "Run `gatebook verify`.")
    } catch {
      return Observation("integrity", .bad, error.message, remedy: error.remedy)
    }
  }
}
