internal import GatebookEvents
internal import GatebookSystem

/// The place of a backup: a regular file, or none yet.
///
/// It is neither the book's own, nor an archive, nor another book, nor a file that is open.
struct BackupPlace {
  /// The whole path, without links.
  let path: String

  /// Looks at a place.
  ///
  /// - Throws: `configuration.invalid` where no backup may be written.
  init(
    _ named: String, of book: BookFile, _ id: BookID, replacing: Bool
  ) throws(GatebookError) {
    path = try Self.whole(named)
    guard !book.claims(path) else { throw Self.own }
    guard let status = FileStatus(of: path, followsLinks: false) else { return }
    guard status.isRegular else {
      throw Self.refused("\(path) exists, but is not a file.", "Choose another place.")
    }
    guard replacing else { throw Self.taken(path) }
    guard FileStatus(of: book.path)?.isSameFile(as: status) != true else { throw Self.own }
    if let copy = try? BookReader.open(at: path) {
      guard (try? copy.isArchive()) != true else {
        throw Self.refused(
          "The file at \(path) is an archive. It is the only copy of its events.",
          "Choose another place.")
      }
      guard copy.id == id else {
        throw Self.refused(
          "The file at \(path) is another book, and the copy would overwrite it.",
          "Choose another place, or remove that book yourself.")
      }
    } else if DatabaseFile.stands(at: path) {
      throw Self.refused(
        "The file at \(path) is a database, but not a readable copy of this book.",
        "Choose another place, or remove that file yourself.")
    }
    guard !isOpenBook else {
      throw Self.refused(
        "The file at \(path) is a book that a program has open.",
        "Close that program, or choose another place.")
    }
  }

  private static let own = refused(
    "That file belongs to the book: overwriting it would lose every session.",
    "Choose another place.")

  /// A place where a file exists.
  static func taken(_ path: String) -> GatebookError {
    refused("The file \(path) already exists.", "Choose another place, or allow replacing it.")
      .with(\.setting, "replacing")
  }

  private static func refused(_ message: String, _ remedy: String) -> GatebookError {
    GatebookError(.configurationInvalid, message, kept: "Nothing was written.", remedy: remedy)
  }

  private static func whole(_ named: String) throws(GatebookError) -> String {
    // A link stays, and what it names is replaced; one that names nothing is none we made.
    if let whole = Files.resolved(named) { return whole }
    let parts = named.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last ?? ""
    let folder = parts.dropLast().joined(separator: "/")
    let start = named.hasPrefix("/") ? "/" : "."
    guard !name.isEmpty, let whole = Files.resolved(folder.isEmpty ? start : folder) else {
      throw refused(
        "The folder for the backup does not exist.",
        "Create the folder, or check the path.")
    }
    return whole == "/" ? "/\(name)" : "\(whole)/\(name)"
  }

  /// Whether events wait in a write-ahead log beside it, which would be mixed with the copy's, or
  /// somebody has it open: SQLite then holds byte 128 of the `-shm`
  /// (https://sqlite.org/walformat.html#wal_locks, the "dead man's switch").
  ///
  /// The kernel's list is read (proc_locks(5)): to open the file and close it would take this
  /// process's own locks on it away.
  private var isOpenBook: Bool {
    if FileStatus(of: path + "-wal")?.size ?? 0 > 0 { return true }
    guard let status = FileStatus(of: path + "-shm") else { return false }
    return Files.text(of: "/proc/locks").split(separator: "\n").contains { line in
      let fields = line.split(separator: " ").drop { $0 != "POSIX" && $0 != "OFDLCK" }
      guard fields.count >= 7, let first = Int(fields[fields.startIndex + 5]) else { return false }
      let file = fields[fields.startIndex + 4].split(separator: ":").last
      let last = Int(fields[fields.startIndex + 6]) ?? .max
      return file == "\(status.inode)" && first <= 128 && last >= 128
    }
  }
}

/// What tells a database from other files.
package enum DatabaseFile {
  /// Whether a file begins as a database of SQLite or its write-ahead log does
  /// (https://sqlite.org/fileformat2.html, 1.3 and 4.1).
  ///
  /// - Parameter path: Its place.
  /// - Returns: Whether it does; `false` also for what cannot be read.
  package static func stands(at path: String) -> Bool {
    // A pipe or a device is not opened here: that alone can be noticed by who holds its other end.
    guard FileStatus(of: path)?.isRegular == true,
      let start = OpenFile.open(path, .read)?.read(16, at: 0)
    else { return false }
    let magics = [
      Array("SQLite format 3\0".utf8), [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
    ]
    for magic in magics where start.starts(with: magic) { return true }
    return false
  }
}
