package import GatebookEvents

/// What a server publishes for everybody, as the book has it.
package struct KeptDocument: Sendable {
  /// When it was last asked for because what was known did not do; `nil` for never.
  package let demanded: Timestamp?
  /// Until when the answer serves without asking.
  package let fresh: Timestamp
  /// When it was demanded in vain; `nil` where the last demand brought an answer, or is on its way.
  package let vain: Timestamp?
  /// The newest answer; `nil` where there is none that opens.
  package let content: [UInt8]?
  /// The same as it lies in the book: whether it is still what was read.
  package let sealed: [UInt8]?
}
