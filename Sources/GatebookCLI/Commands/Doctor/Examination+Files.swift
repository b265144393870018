internal import Gatebook
internal import GatebookSystem

extension Examination {
  /// The folder, the disk and the files.
  var surroundings: [Observation] {
    [folder, disk].compactMap(\.self)
      + [path, path + "-wal", path + "-lock"].compactMap(file)
      + [journal, log, lock].compactMap(\.self)
  }

  private var folderPath: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private var folder: Observation? {
    guard let status = FileStatus(of: folderPath) else { return nil }
    if let type = FileSystemType(of: folderPath), type.isNetwork {
      return .bad(
        "folder",
        "The book is on a network file system (\(type.name)), where file locks are unreliable and "
          + "events can be lost.",
        "Move the book to a local disk while no program has it open.")
    }
    // Where only owners may take files away, others can make some, but not in the place of the
    // book.
    guard !status.isWritableByOthers || status.isSticky else {
      return .note(
        "folder", "Other users can replace the book by another file.",
        "chmod go-w \(ShellText.word(folderPath))")
    }
    guard Files.isWritable(folderPath) else {
      return .note(
        "folder", "The folder is not writable, so the book can only be read.",
        "Allow writing to \(folderPath), unless the book should only be read.")
    }
    return .good("folder", "Only its owner can write to it.")
  }

  private var disk: Observation? {
    guard let space = DiskSpace(at: folderPath) else { return nil }
    let text = "\(space.free >> 20) MiB are free."
    if space.isFull {
      return .bad(
        "disk", "The disk is full, so nothing can be recorded.",
        "Free space on the disk of \(folderPath).")
    }
    guard space.isLow else { return .good("disk", text) }
    return .note("disk", text, "Free space on the disk of \(folderPath) soon.")
  }

  private func file(_ path: String) -> Observation? {
    guard let status = FileStatus(of: path), status.isRegular else { return nil }
    let name = String(path.split(separator: "/").last ?? "")
    guard !status.isOpenToOthers else {
      return .note(
        name, "Other users can read or write this file. Secrets in it are encrypted.",
        "chmod 600 \(ShellText.word(path))")
    }
    return .good(name, "\(status.size) bytes, accessible only to its owner.")
  }

  /// How SQLite keeps its journal: bytes 18 and 19 of the file (sqlite.org/fileformat.html).
  private var journal: Observation? {
    guard let header = OpenFile.open(path, .readAtOnce)?.read(atMost: 20), header.count == 20,
      header.starts(with: "SQLite format 3".utf8)
    else { return nil }
    // Nobody writes to an archive: it needs no log beside it.
    if (try? BookReader.open(at: path).isArchive()) == true {
      return .good("journal", "This is an archive, which never changes.")
    }
    if (try? BookReader.open(at: path).isPulled()) == true {
      return .good("journal", "This is a copy from a fleet, which never changes.")
    }
    guard header[18] == 2, header[19] == 2 else {
      return .note(
        "journal", "The book is not in WAL mode, because it was not opened for writing yet.",
        "The next command that writes, such as `gatebook restore`, turns it on.")
    }
    return .good("journal", "The book is in WAL mode.")
  }

  /// A write-ahead log that only grows has a reader that never ends.
  private var log: Observation? {
    guard let status = FileStatus(of: path + "-wal"), status.size > 64 << 20 else { return nil }
    return .note(
      "write-ahead log",
      "It has grown to \(status.size >> 20) MiB, because a program has been reading an older state "
        + "of the book for a long time.",
      Self.stopReader(call))
  }

  /// What to do about a program that reads an older state of the book.
  static func stopReader(_ call: Call) -> String {
    "Stop the program that reads the book, then run a command that writes, such as `gatebook "
      + "sync\(call.givenPlace)`."
  }

  private var lock: Observation? {
    guard let file = OpenFile.open(path + "-lock", .read) else { return nil }
    // Byte 0 is the turnstile, byte 1 the writer, what lies from 2^32 on `AccountLock` tells.
    if file.isLocked(1) {
      let others = file.isLocked(0) ? ", and others are waiting" : ""
      return .note(
        "locks", "A process is writing to the book now\(others).",
        "Check again later. If the lock is still held, the process may be stopped: resume it or end it."
      )
    }
    guard !file.isLocked(1 << 32, count: 0) else {
      return .good(
        "locks",
        "A process is logging in, renewing a session, telling a server something, moving the key or "
          + "archiving now.")
    }
    return .good("locks", "No lock is held.")
  }
}
