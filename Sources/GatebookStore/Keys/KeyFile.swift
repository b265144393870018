public import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

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
    if Files.exists(path) { return (try read(), description) }
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
    guard let file = OpenFile.open(path, .readAtOnce) else {
      throw GatebookError(
        .keyMissing, "The book's key file cannot be opened: \(path)",
        kept: "The book is not affected; only personal data and secrets stay encrypted.",
        remedy:
          "Restore the key file, or give it with `KeyFile(path:)`. If the key was moved, give its new "
          + "source.",
        cause: SystemError.last.text)
    }
    guard let status = file.status, status.isRegular else {
      throw wrong("The key file is not a regular file: \(path)")
    }
    guard !status.isOpenToOthers else {
      throw GatebookError(
        .keyWrong, "Other users can read the key file, so it is not used: \(path)",
        remedy: "Set its mode to 0600. If somebody else may have read it, create a new book.")
    }
    var bytes = file.read(atMost: 66) ?? []
    while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
    // Wiped with the text; an array alone would not be wiped.
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

  /// Writes the file beside its place and puts it there whole: nobody ever sees half a key, and
  /// what a killed process left is no obstacle.
  func write(_ key: Secret) throws(GatebookError) {
    if isDefault { Files.makeFolders(folder) }
    let content = key.withBytes { Array("\(Hex.encode($0))\n".utf8) }
    let unfinished = "\(path).new"
    Files.remove(unfinished)
    guard let file = OpenFile.open(unfinished, .new) else { throw failure(.last) }
    guard file.write(content), file.sync(), place(unfinished) else {
      let error = SystemError.last
      Files.remove(unfinished)
      throw failure(error)
    }
    Files.remove(unfinished)
    try sync()
  }

  /// Gives the whole file its name; one that another process has put there meanwhile stays.
  private func place(_ unfinished: String) -> Bool {
    if Files.link(unfinished, to: path) { return true }
    // File systems without links, such as those of memory sticks.
    guard [.notPermitted, .notSupported].contains(SystemError.last), !Files.exists(path) else {
      return false
    }
    return Files.rename(unfinished, to: path)
  }

  /// Makes the file's name durable.
  func sync() throws(GatebookError) {
    guard let folder = OpenFile.open(folder, .folder), folder.sync() else { throw failure(.last) }
  }

  /// Makes the file's present content durable.
  func syncContent() throws(GatebookError) {
    guard let file = OpenFile.open(path, .read), file.sync() else { throw failure(.last) }
  }

  private var folder: String { BookPath.split(path).folder }

  private func failure(_ error: SystemError) -> GatebookError {
    if error.isFullDisk { return .storageFull(cause: error.text) }
    return GatebookError(
      .keyMissing, "The key file cannot be created: \(path)", kept: "No book was created.",
      remedy: "Allow writing to that place, or choose another one with `KeyFile(path:)`.",
      cause: error.text)
  }
}
