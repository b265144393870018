package import GatebookEvents

/// A log, or one stream of it, folded over one state of the book: what a rebuild begins with.
package struct FoldedLog: Sendable {
  /// The present as the log makes it.
  package internal(set) var fold = BookFold()
  /// The last event in it.
  package internal(set) var end = Position.start
  /// Whose stream was folded; `nil` for the whole log.
  package let account: AccountID?
  /// Whether the book's rows of the past are what the log makes.
  package internal(set) var hasRightPast = false

  /// Makes one that has seen nothing yet: all rows are then made anew.
  package init(of account: AccountID? = nil) {
    self.account = account
  }
}
