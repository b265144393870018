internal import Gatebook
internal import Glibc

/// A file that results are written to.
///
/// A regular file is written beside its place first, and stands there only when it is whole: what is
/// interrupted, or has no room, leaves what was there. A pipe or a device is written into; a symbolic
/// link stays, and what it names is written.
final class OutputFile {
  private let descriptor: Int32
  /// Where it is written, and where it then stands; `nil` for what is written in place.
  private let draft: (path: String, place: String)?
  private var isFinished = false

  private init(_ descriptor: Int32, draft: (path: String, place: String)?) {
    self.descriptor = descriptor
    self.draft = draft
  }

  /// The place that an option names; `nil` for standard output, which `-` stands for too.
  static func path(_ argument: String?) -> String? { argument == "-" ? nil : argument }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: Its place.
  ///   - isPrivate: Whether a new one is its owner's alone.
  /// - Returns: The file, to be written and finished.
  /// - Throws: `configuration.invalid` or `storage.full` where it cannot be written.
  static func open(
    _ path: String, isPrivate: Bool = false
  ) throws(GatebookError) -> OutputFile {
    let mode: mode_t = isPrivate ? 0o600 : 0o644
    guard let place = try TextFile.regularPlace(path) else {
      let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw TextFile.unwritable(errno) }
      return OutputFile(descriptor, draft: nil)
    }
    removeLeftDrafts(beside: place)
    let draft = "\(place)\(draftMark)\(getpid()).part"
    let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TextFile.unwritable(errno) }
    // Whoever finds it later sees that somebody still writes it.
    flock(descriptor, LOCK_EX | LOCK_NB)
    return OutputFile(descriptor, draft: (path: draft, place: place))
  }

  /// What tells a draft from files of others, between its place's name and its process.
  private static let draftMark = ".gatebook-"

  /// Takes away what processes that were killed have left beside a place.
  private static func removeLeftDrafts(beside place: String) {
    let slash = place.lastIndex(of: "/")
    let folder = slash.map { String(place[...$0]) } ?? "."
    let start = slash.map { String(place[place.index(after: $0)...]) } ?? place
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(start + draftMark), name.hasSuffix(".part"),
        let process = pid_t(name.dropFirst(start.count + draftMark.count).dropLast(5)),
        process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      let path = slash == nil ? name : folder + name
      let file = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      // A process of another container may have that number.
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(file)
    }
  }

  deinit {
    guard !isFinished else { return }
    close(descriptor)
    if let draft { unlink(draft.path) }
  }

  /// What is written, for a thread of its own; the file must not be finished before that has ended.
  ///
  /// - Returns: A sink that keeps the file open by itself.
  /// - Throws: `configuration.invalid` where no more files can be opened.
  func sink() throws(GatebookError) -> any ByteSink {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw TextFile.unwritable(errno) }
    return Sink(own)
  }

  private final class Sink: ByteSink {
    private let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    var descriptor: Int32? { number }

    func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
      guard TextFile.writeAll(bytes, number) else {
        throw TextFile.unwritable(errno)
      }
      return true
    }
  }

  /// Writes all the bytes behind those before.
  func write(_ bytes: [UInt8]) throws(GatebookError) {
    guard TextFile.writeAll(bytes, descriptor) else { throw TextFile.unwritable(errno) }
  }

  /// Ends the file; a regular one then stands at its place.
  func finish() throws(GatebookError) {
    if let draft {
      guard fsync(descriptor) == 0, rename(draft.path, draft.place) == 0 else {
        throw TextFile.unwritable(errno)
      }
    }
    isFinished = true
    // Some file systems tell only now that there is no room.
    guard close(descriptor) == 0 else { throw TextFile.unwritable(errno) }
  }
}
