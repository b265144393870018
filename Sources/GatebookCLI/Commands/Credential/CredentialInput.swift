internal import Gatebook
internal import GatebookSystem

/// What a program writes to its helper, read up to a limit.
enum CredentialInput {
  /// More bytes are of no protocol.
  static let limit = 65_536

  /// Reads to the end, or to the first empty line.
  ///
  /// - Parameters:
  ///   - descriptor: Where to read.
  ///   - endsAtEmptyLine: Whether an empty line is the end.
  ///   - cancellation: A descriptor that becomes readable when the run is cancelled.
  /// - Returns: The bytes, in an order that tells nothing of the reads.
  /// - Throws: `CredentialFault` for more than ``limit``, and for what cannot be read;
  ///   `CancellationError`.
  static func read(
    from descriptor: Int32 = FileDescriptor.standardInput, endsAtEmptyLine: Bool = false,
    cancellation: Int32? = nil
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      try wait(for: descriptor, cancellation)
      guard let piece = FileDescriptor.read(descriptor, atMost: 8192) else {
        throw CredentialFault("Standard input cannot be read: \(SystemError.last.text).")
      }
      bytes += piece
      guard bytes.count <= limit else {
        throw CredentialFault("The program sent more than \(limit / 1024) KiB.")
      }
      let isOver = endsAtEmptyLine && isComplete(bytes)
      if piece.isEmpty || isOver { return bytes }
    }
  }

  private static func wait(for descriptor: Int32, _ cancellation: Int32?) throws {
    guard let cancellation else { return }
    while true {
      let ready = FileDescriptor.awaitReadable([descriptor, cancellation])
      guard let ready else {
        if SystemError.last == .interrupted { continue }
        return
      }
      guard !ready[1] else { throw CancellationError() }
      return
    }
  }

  private static func isComplete(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "\n") || bytes.firstRange(of: "\n\n") != nil
  }
}
