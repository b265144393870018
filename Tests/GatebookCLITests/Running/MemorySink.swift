internal import Gatebook
internal import GatebookSystem

@testable internal import GatebookCLI

/// Takes what would go to standard output or standard error.
final class MemorySink: ByteSink {
  private let content = Locked<[UInt8]>([])
  private let failure: GatebookError?
  private let readsLeft: Locked<Int>

  init(failure: GatebookError? = nil, readerLeavesAfter writes: Int = .max) {
    self.failure = failure
    readsLeft = Locked(writes)
  }

  var bytes: [UInt8] { content.withLock { $0 } }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    if let failure { throw failure }
    let isRead = readsLeft.withLock { left in
      left -= 1
      return left >= 0
    }
    guard isRead else { return false }
    content.withLock { $0 += bytes }
    return true
  }
}
