internal import Gatebook

/// A book that the agent has open, lent to one call: the call opens none, asks nobody, and reads
/// nothing of the agent's own streams.
@MainActor struct LentBook {
  /// What the agent has open.
  struct Open {
    let book: SessionBook
    let reader: BookReader
  }

  /// The book's path at the agent.
  let path: String
  /// Where its key is.
  let key: KeyChoice
  /// What is open; a failure where the agent lends nothing.
  let open: Result<Open, GatebookError>
  /// What the program that asks has written.
  let input: [UInt8]
}
