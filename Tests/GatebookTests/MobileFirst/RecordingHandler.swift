import Gatebook
import GatebookFakes

/// Tells a test what its callbacks were called with, one after the other.
final class RecordingHandler: ChallengeHandler {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let log = TestBox<[String]>([])
  private let flowLog = TestBox<[FlowID]>([])

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Everything that was heard so far.
  var heard: [String] { log.value }

  /// The flows of what was heard.
  var flows: [FlowID] { flowLog.value }

  /// Waits for what is heard next; each word is given out once.
  func next() async -> String {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next() ?? "nothing"
  }

  /// Waits until something with this beginning is heard; a test that is cancelled waits no longer.
  func hear(_ beginning: String) async {
    for await text in stream where text.hasPrefix(beginning) { return }
  }

  func note(_ text: String) {
    log.withLock { $0.append(text) }
    continuation.yield(text)
  }

  func handleChallenge(_ challenge: SecurityCheckChallenge) async {
    flowLog.withLock { $0.append(challenge.flow) }
    let remaining = challenge.remainingAttempts.map { String($0) } ?? "-"
    note("challenge \(challenge.check) [\(challenge.errorMessage)] \(remaining)")
  }

  func handleSuccess(_ success: SecurityCheckSuccess) async {
    flowLog.withLock { $0.append(success.flow) }
    note("success \(success.check) \(success.user?.displayName ?? "-")")
  }

  func handleFailure(_ failure: SecurityCheckFailure) async {
    flowLog.withLock { $0.append(failure.flow) }
    note("failure \(failure.check) \(failure.reason)")
  }
}
