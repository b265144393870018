internal import Gatebook
internal import GatebookSystem

/// An answer that is needed more than once and asked for once.
struct AskedOnce: Sendable {
  private let known = Locked<Secret?>(nil)
  private let ask: @Sendable () throws(GatebookError) -> Secret

  init(_ ask: @escaping @Sendable () throws(GatebookError) -> Secret) {
    self.ask = ask
  }

  /// The answer; a question that failed is asked again.
  func answer() throws(GatebookError) -> Secret {
    try known.withLock { (known) throws(GatebookError) in
      if let known { return known }
      let answer = try ask()
      known = answer
      return answer
    }
  }
}
