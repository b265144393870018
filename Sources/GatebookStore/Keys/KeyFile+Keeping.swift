public import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

extension KeyFile {
  /// Stores the existing key of a book; a file that already holds it is used.
  ///
  /// - Throws: `key.wrong` for a file that holds something else, which is not changed;
  ///   `key.missing`, `storage.full`.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    if Files.exists(path) {
      guard try read() == key else {
        throw GatebookError(
          .keyWrong, "The file holds a different key, perhaps of another book: \(path)",
          kept: "The file and the book's key were not changed.",
          remedy: "Choose another file.")
      }
      // The only other copy may go next.
      try syncContent()
      try sync()
    } else {
      do throws(GatebookError) {
        try write(key)
      } catch {
        throw error.keeping("The key was not moved.")
      }
    }
    return description
  }

  /// Removes a key file at the default place.
  ///
  /// A file that the user named is kept, because other books may use it, and its path is returned.
  /// If the file was renamed by hand, the path by which the book was opened is returned.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    if former.source == "file", let named = former.path, named != description.path {
      return Self.leftover([named, path], besides: place)
    }
    guard former.source == "file", former.path == description.path else {
      throw GatebookError(
        .configurationInvalid, "The key's old place is not the file that was given.",
        kept: "The key was moved, but is still at its old place too.",
        remedy:
          "Move the key to the same place again, and open the book with its recorded key source.")
    }
    if let now = place.file, isSameFile(as: now) {
      return nil
    }
    guard description.path == nil else { return Files.exists(path) ? path : nil }
    guard Files.remove(path) || SystemError.last == .missing else {
      throw GatebookError(
        .keyMissing, "The old key file cannot be removed: \(path)",
        kept: "The key was moved, but is still in that file too.", remedy: "Remove the file.",
        cause: SystemError.last.text)
    }
    // Only the removal's own durability: nothing depends on it.
    try? sync()
    return nil
  }

  /// The first file that is still there and is not the new place by another name.
  private static func leftover(_ paths: [String], besides place: KeyDescription) -> String? {
    paths.first { path in
      guard Files.exists(path) else { return false }
      return place.file.map { !KeyFile(path: path).isSameFile(as: $0) } ?? true
    }
  }

  /// Whether another path leads to this very file: removing one would remove both.
  private func isSameFile(as other: String) -> Bool {
    guard let mine = FileStatus(of: path), let theirs = FileStatus(of: other),
      mine.isSameFile(as: theirs)
    else { return false }
    // A second hard link outlives the removal of the first.
    return mine.links == 1 || Files.resolved(path) == Files.resolved(other)
  }
}

extension KeyDescription {
  /// The path of a key file that the person has named.
  fileprivate var path: String? { parameters["path"]?.text }

  /// Where the key's file is, if it is one.
  fileprivate var file: String? { source == "file" ? path : nil }
}
