public import GatebookCrypto
public import GatebookEvents
internal import Glibc

/// A master key in a file that only its owner can read: 64 hexadecimal digits and a line feed.
///
/// The file and its folder are synced before the key is used for the first time.
public struct KeyFile: KeySource {
  let path: String
  private let isDefault: Bool

  /// What the book records: the path only where the person has chosen it.
  var description: KeyDescription {
    KeyDescription(source: "file", parameters: isDefault ? [:] : ["path": .text(path)])
  }

  /// A key in a file that the caller chooses; the path is recorded in the book.
  public init(path: String) {
    self.path = path
    isDefault = false
  }

  /// A key in the folder of all keys, named after its book; no path is recorded.
  init(folder: String, book: BookID) {
    path = "\(folder)/\(book).key"
    isDefault = true
  }

  /// Creates the key; an existing file is used if it holds a key.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    if access(path, F_OK) == 0 { return (try read(), description) }
    var bytes = random.bytes(32)
    let key = Secret(taking: &bytes)
    try write(key)
    return (key, description)
  }

  /// Reads the key.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    try read()
  }

  func read() throws(GatebookError) -> Secret {
    // A pipe without a writer would keep us waiting before we could refuse it.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw GatebookError(
        .keyMissing, "The book's key file cannot be opened: \(path)",
        kept: "The book is not affected; only personal data and secrets stay encrypted.",
        remedy:
          "Restore the key file, or give it with `KeyFile(path:)`. If the key was moved, give its new "
          + "source.",
        cause: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw wrong("The key file is not a regular file: \(path)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw GatebookError(
        .keyWrong, "Other users can read the key file, so it is not used: \(path)",
        remedy: "Set its mode to 0600. If somebody else may have read it, create a new book.")
    }
    var bytes = [UInt8](repeating: 0, count: 66)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    while let last = bytes.last, bytes.count > max(0, count) || last == 10 || last == 13 {
      bytes.removeLast()
    }
    // Wiped with the text, as no array by itself would be.
    let text = Secret(taking: &bytes)
    guard var key = text.withBytes({ Hex.decode($0) }), key.count == 32 else {
      throw wrong("The file does not contain a key: \(path)")
    }
    return Secret(taking: &key)
  }

  private func wrong(_ message: String) -> GatebookError {
    GatebookError(
      .keyWrong, message, remedy: "Give the book's own key file with `KeyFile(path:)`.")
  }

  /// Writes the file beside its place and puts it there whole: nobody ever sees half a key, and what
  /// a killed process left is no obstacle.
  func write(_ key: Secret) throws(GatebookError) {
    if isDefault { makeFolders(folder) }
    let content = key.withBytes { Array("\(Hex.encode($0))\n".utf8) }
    let unfinished = "\(path).new"
    unlink(unfinished)
    let descriptor = Glibc.open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    let written = Glibc.write(descriptor, content, content.count)
    let isSynced = written == content.count && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    guard isSynced, place(unfinished) else {
      let reason = isSynced ? errno : number
      unlink(unfinished)
      throw failure(reason)
    }
    unlink(unfinished)
    try sync()
  }

  /// Gives the whole file its name; one that another process has put there meanwhile stays.
  private func place(_ unfinished: String) -> Bool {
    if link(unfinished, path) == 0 { return true }
    // File systems without links, such as those of memory sticks.
    guard errno == EPERM || errno == EOPNOTSUPP, access(path, F_OK) != 0 else { return false }
    return rename(unfinished, path) == 0
  }

  /// Makes the file's name durable.
  func sync() throws(GatebookError) {
    let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw failure(errno) }
    let isSynced = fsync(parent) == 0
    let number = errno
    close(parent)
    guard isSynced else { throw failure(number) }
  }

  /// Makes what the file holds already durable, whoever wrote it.
  func syncContent() throws(GatebookError) {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(errno) }
    let isSynced = fsync(file) == 0
    let number = errno
    close(file)
    guard isSynced else { throw failure(number) }
  }

  private var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private func makeFolders(_ folder: String) {
    var made = folder.hasPrefix("/") ? "/" : ""
    for part in folder.split(separator: "/") {
      made += part
      mkdir(made, 0o700)
      made += "/"
    }
  }

  private func failure(_ number: Int32) -> GatebookError {
    if number == ENOSPC || number == EDQUOT {
      return .storageFull(cause: String(cString: strerror(number)))
    }
    return GatebookError(
      .keyMissing, "The key file cannot be created: \(path)", kept: "No book was created.",
      remedy: "Allow writing to that place, or choose another one with `KeyFile(path:)`.",
      cause: String(cString: strerror(number)))
  }
}
