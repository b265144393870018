internal import Gatebook

@testable internal import GatebookCLI

/// Takes what would go to standard output or standard error.
@MainActor final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []
  private let failure: GatebookError?
  private var readsLeft: Int

  init(failure: GatebookError? = nil, readerLeavesAfter writes: Int = .max) {
    self.failure = failure
    readsLeft = writes
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    if let failure { throw failure }
    readsLeft -= 1
    guard readsLeft >= 0 else { return false }
    self.bytes += bytes
    return true
  }
}
