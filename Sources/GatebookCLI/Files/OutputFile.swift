internal import Gatebook
internal import GatebookSystem

/// A file that results are written to.
///
/// A regular file is first written beside its place, and moved there once it is complete: an
/// interruption or a full disk leaves the old file. A pipe or a device is written into; a symbolic
/// link stays, and its target is written.
final class OutputFile {
  /// `nil` once it is finished: the reader of a pipe sees the end then.
  private var file: OpenFile?
  /// Where it is written, and its final place; `nil` for what is written in place.
  private let draft: (path: String, place: String)?
  private var isFinished = false

  private init(_ file: OpenFile, draft: (path: String, place: String)?) {
    self.file = file
    self.draft = draft
  }

  /// The option that names one.
  static let option = CommandOption.value(
    "-o", "F", "write to this file and replace it if it exists; `-` is standard output")

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
    let mode: UInt32 = isPrivate ? 0o600 : 0o644
    guard let place = try TextFile.regularPlace(path) else {
      guard let file = OpenFile.open(path, .replace, mode: mode) else {
        throw TextFile.unwritable(.last)
      }
      return OutputFile(file, draft: nil)
    }
    removeLeftDrafts(beside: place)
    let draft = "\(place)\(draftMark)\(ThisProcess.id).part"
    guard let file = OpenFile.open(draft, .new, mode: mode) else {
      throw TextFile.unwritable(.last)
    }
    // Another process sees that it is still being written.
    FileDescriptor.lock(file.descriptor)
    return OutputFile(file, draft: (path: draft, place: place))
  }

  /// What tells a draft from files of others, between its place's name and its process.
  private static let draftMark = ".gatebook-"

  /// Takes away what processes that were killed have left beside a place.
  private static func removeLeftDrafts(beside place: String) {
    let slash = place.lastIndex(of: "/")
    let folder = slash.map { String(place[...$0]) } ?? "."
    let start = slash.map { String(place[place.index(after: $0)...]) } ?? place
    for name in Files.names(in: folder) {
      guard name.hasPrefix(start + draftMark), name.hasSuffix(".part"),
        let process = Int32(name.dropFirst(start.count + draftMark.count).dropLast(5)),
        process > 0,
        ThisProcess.isGone(process)
      else { continue }
      let path = slash == nil ? name : folder + name
      guard let file = OpenFile.open(path, .readInPlace) else { continue }
      // A process of another container may have that number.
      if FileDescriptor.lock(file.descriptor) { Files.remove(path) }
    }
  }

  deinit {
    if !isFinished, let draft { Files.remove(draft.path) }
  }

  /// What is written, for a thread of its own; the file must not be finished before that has ended.
  func sink() -> any ByteSink { Sink(file: file) }

  private struct Sink: ByteSink {
    let file: OpenFile?

    var descriptor: Int32? { file?.descriptor }

    func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
      guard file?.write(bytes) == true else { throw TextFile.unwritable(.last) }
      return true
    }
  }

  /// Writes all the bytes after those before.
  func write(_ bytes: [UInt8]) throws(GatebookError) {
    guard file?.write(bytes) == true else { throw TextFile.unwritable(.last) }
  }

  /// Ends the file; a regular one is then at its place.
  func finish() throws(GatebookError) {
    guard let file else { return }
    if let draft {
      guard file.sync(), Files.rename(draft.path, to: draft.place) else {
        throw TextFile.unwritable(.last)
      }
    }
    isFinished = true
    self.file = nil
    // Some file systems tell only when a descriptor is closed that there is no room.
    guard let copy = FileDescriptor.copy(file.descriptor) else { return }
    guard FileDescriptor.close(copy) else { throw TextFile.unwritable(.last) }
  }
}
