internal import GatebookSystem

/// A part of a body that is ready to be read.
final class OpenBodyPart: Sendable {
  private enum Content {
    case bytes([UInt8])
    /// A regular file, from this place on.
    case file(Int32, start: Int)
    /// A pipe or a device.
    case stream(Int32)
  }

  /// A file that says to have no more is read at once.
  private static let small = 65_536

  /// How many bytes it has; `nil` where that is unknown.
  let count: Int?
  private let content: Content
  private let isOwned: Bool

  /// Opens a part.
  ///
  /// - Throws: `configuration.invalid` for a file that cannot be opened, or is a folder.
  init(_ part: BodyPart) throws(GatebookError) {
    switch part {
    case .bytes(let bytes):
      (count, content, isOwned) = (bytes.count, .bytes(bytes), false)
    case .file(let path):
      guard let descriptor = OpenFile.descriptor(path, .read) else {
        throw Self.unreadable("cannot be read", .last)
      }
      (count, content) = try Self.content(of: descriptor, isOwned: true)
      isOwned = true
    case .descriptor(let descriptor):
      (count, content) = try Self.content(of: descriptor, isOwned: false)
      isOwned = false
    }
  }

  private static func content(
    of descriptor: Int32, isOwned: Bool
  ) throws(GatebookError) -> (Int?, Content) {
    let status = FileStatus(descriptor)
    guard let status, !status.isFolder else {
      let error = SystemError.last
      if isOwned { FileDescriptor.close(descriptor) }
      throw status == nil
        ? unreadable("cannot be read", error) : unreadable("is a folder", .isFolder)
    }
    guard status.isRegular else { return (nil, .stream(descriptor)) }
    let start = isOwned ? 0 : max(0, FileDescriptor.place(descriptor))
    let size = max(0, status.size - start)
    guard size <= small else { return (size, .file(descriptor, start: start)) }
    // The files of /proc and /sys have more or less in them than they say.
    let bytes: [UInt8]
    do throws(GatebookError) { bytes = try beginning(of: descriptor, at: start) } catch {
      if isOwned { FileDescriptor.close(descriptor) }
      throw error
    }
    guard bytes.count <= small else { return (nil, .stream(descriptor)) }
    if isOwned { FileDescriptor.close(descriptor) }
    return (bytes.count, .bytes(bytes))
  }

  /// What a file holds, as far as it is small.
  private static func beginning(
    of descriptor: Int32, at start: Int
  ) throws(GatebookError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: small + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes { buffer in
        FileDescriptor.read(descriptor, into: buffer, at: start + filled)
      }
      guard count >= 0 else { throw unreadable("cannot be read", .last) }
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }

  deinit {
    guard isOwned else { return }
    switch content {
    case .file(let descriptor, _), .stream(let descriptor): FileDescriptor.close(descriptor)
    case .bytes: break
    }
  }

  /// Reads from an offset.
  ///
  /// - Parameters:
  ///   - buffer: What is filled.
  ///   - offset: How many bytes were read before.
  /// - Returns: How many bytes were filled; 0 at the end; `nil` when a pipe has none yet.
  /// - Throws: `configuration.invalid` when the file cannot be read, or has become shorter.
  func read(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(GatebookError) -> Int? {
    let wanted = min(count.map { $0 - offset } ?? buffer.count, buffer.count)
    guard wanted > 0 else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    switch content {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + wanted]))
      }
      return wanted
    case .file(let descriptor, let start):
      let count = FileDescriptor.read(descriptor, into: buffer, at: start + offset)
      guard count >= 0 else { throw Self.unreadable("cannot be read", .last) }
      guard count > 0 else {
        throw Self.unreadable("became shorter while it was sent", .inputOutput)
      }
      return count
    case .stream(let descriptor):
      guard FileDescriptor.isReadable(descriptor) else { return nil }
      let count = FileDescriptor.read(descriptor, into: buffer)
      if count < 0, SystemError.last == .wouldBlock { return nil }
      guard count >= 0 else { throw Self.unreadable("cannot be read", .last) }
      return count
    }
  }

  private static func unreadable(_ what: String, _ error: SystemError) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The file with the body \(what).", kept: GatebookError.sessionKept,
      remedy: "Check the path and its permissions.", cause: error.text)
  }
}
