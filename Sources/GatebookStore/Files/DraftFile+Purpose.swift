internal import GatebookEvents
internal import GatebookSystem

extension DraftFile {
  /// What is made, and the error if it fails.
  enum Purpose: String {
    case archive = "archive"
    case backup = "backup"
    case pull = "pulled book"
    case recovery = "recovered book"
    case state = "temporary file"

    private var kept: String {
      switch self {
      case .backup: "The incomplete file was deleted."
      case .archive, .recovery: "The book was not changed, and no new file was created."
      case .pull: "No file was created."
      case .state: "The fleet keeps its events."
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
        kept: "The file was not changed.",
        remedy: "Choose another name, or move it away.")
    }

    /// A failure of SQLite on the way.
    func failure(_ status: Int32, _ handle: OpaquePointer) -> GatebookError {
      failure(.sqlite(status, handle))
    }

    /// A failure on the way, with what is kept of what is made.
    func failure(_ error: GatebookError) -> GatebookError {
      switch error.code {
      case .storageFull: full(error.cause)
      case .cancelled: cancelled
      default: error
      }
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
  ///   - book: The book that it is made of; `nil` if that is elsewhere.
  /// - Returns: The draft.
  /// - Throws: As `open`; `storage.unreadable` for a network file system, which carries no book.
  static func open(
    for place: String, _ purpose: Purpose, beside book: BookFile?
  ) throws(GatebookError) -> DraftFile {
    guard FileStatus(of: place, followsLinks: false) == nil else { throw purpose.taken(place) }
    guard book?.claims(place) != true else {
      throw GatebookError(
        .configurationInvalid, "That file name belongs to the book: \(place)",
        kept: "Nothing was written.", remedy: "Choose another name.")
    }
    try BookFile(path: place).checkFileSystem()
    return try open(for: place, purpose)
  }

  /// Verifies what was written.
  ///
  /// - Parameters:
  ///   - note: A checkpoint that it must agree with; `nil` for none.
  ///   - progress: Told how many events are done, and of how many.
  /// - Returns: The verdict.
  /// - Throws: `cancelled`, with what is kept then; what `BookVerifier` throws.
  func verify(
    against note: String? = nil,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Verdict {
    do throws(GatebookError) {
      return try await BookVerifier(path: path).verify(against: note, progress: progress)
    } catch {
      throw error.code == .cancelled ? purpose.cancelled : error
    }
  }
}
