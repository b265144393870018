internal import Gatebook
internal import GatebookSystem

/// What became of a call at the agent: what the process prints, and how it ends.
struct AgentAnswer: Equatable, Sendable {
  let exit: ExitCode
  let output: [UInt8]
  let errors: [UInt8]

  init(exit: ExitCode, output: [UInt8], errors: [UInt8]) {
    self.exit = exit
    self.output = output
    self.errors = errors
  }

  /// As JSON.
  var json: JSON {
    [
      "exit": .integer(Int64(exit.rawValue)), "output": .text(Base64.encode(output)),
      "errors": .text(Base64.encode(errors)),
    ]
  }

  /// Reads it; `nil` for what is no answer.
  init?(_ facts: Facts) {
    guard let exit = facts["exit"]?.integer.flatMap({ ExitCode(rawValue: Int32(clamping: $0)) }),
      let output = (facts["output"]?.text).flatMap({ Base64.decode($0) }),
      let errors = (facts["errors"]?.text).flatMap({ Base64.decode($0) })
    else { return nil }
    self.init(exit: exit, output: output, errors: errors)
  }
}

/// Gathers what a call prints.
final class AgentSink: ByteSink {
  private let taken = Locked<[UInt8]>([])

  /// What was printed so far.
  var bytes: [UInt8] { taken.withLock { $0 } }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    taken.withLock { $0 += bytes }
    return true
  }
}
