internal import GatebookEvents
internal import GatebookSystem

extension DraftFile {
  /// What is made, and the error if it fails.
  enum Purpose: String {
    case archive = "archive"
    case backup = "backup"
    case recovery = "recovered book"

    private var kept: String {
      switch self {
      case .backup: "The incomplete file was deleted."
      case .archive, .recovery: "The book was not changed, and no new file was created."
      }
    }

    var busy: GatebookError {
      GatebookError(
        .storageBusy, "Another \(rawValue) is being written to that place.",
        remedy: "Wait until it is finished.")
    }

    var cancelled: GatebookError {
      GatebookError(
        .cancelled, "The call was cancelled.", kept: kept, remedy: "Nothing needs to be done.")
    }

    /// A place where a file exists; only a backup may replace it.
    func taken(_ path: String) -> GatebookError {
      guard self != .backup else { return BackupPlace.taken(path) }
      return GatebookError(
        .configurationInvalid, "The file already exists: \(path)",
        kept: "Neither that file nor the book was changed.",
        remedy: "Choose another name, or move it away.")
    }

    /// A failure of SQLite on the way.
    func failure(_ status: Int32, _ handle: OpaquePointer) -> GatebookError {
      let error = GatebookError.sqlite(status, handle)
      return error.code == .storageFull ? full(error.cause) : error
    }

    func unwritable(_ error: SystemError) -> GatebookError {
      guard !error.isFullDisk else { return full(error.text) }
      return GatebookError(
        self == .backup ? .configurationInvalid : .storageReadOnly,
        "The \(rawValue) cannot be written to that place.", kept: kept,
        remedy: "Choose another place, or allow writing.", cause: error.text)
    }

    private func full(_ cause: String?) -> GatebookError {
      GatebookError(
        .storageFull, "There is not enough space for the \(rawValue).", kept: kept,
        remedy: "Free space on that disk, or choose another place.", cause: cause)
    }
  }

  /// Begins a draft of a file that never replaces another one, and never takes a file name of the
  /// book.
  ///
  /// - Parameters:
  ///   - place: The path of the finished file.
  ///   - purpose: What is made.
  ///   - book: The book that it is made of.
  /// - Returns: The draft.
  /// - Throws: As `open`; `storage.unreadable` for a network file system, which carries no book.
  static func open(
    for place: String, _ purpose: Purpose, beside book: BookFile
  ) throws(GatebookError) -> DraftFile {
    guard FileStatus(of: place, followsLinks: false) == nil else { throw purpose.taken(place) }
    guard !book.claims(place) else {
      throw GatebookError(
        .configurationInvalid, "That file name belongs to the book: \(place)",
        kept: "Nothing was written.", remedy: "Choose another name.")
    }
    try BookFile(path: place).checkFileSystem()
    return try open(for: place, purpose)
  }

  /// Verifies what was written.
  ///
  /// - Parameter progress: Told how many events are done, and of how many.
  /// - Returns: The verdict.
  /// - Throws: `cancelled`, with what is kept then; what `BookVerifier` throws.
  func verify(
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Verdict {
    do throws(GatebookError) {
      return try await BookVerifier(path: path).verify(progress: progress)
    } catch {
      throw error.code == .cancelled ? purpose.cancelled : error
    }
  }
}
