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
  /// Whether the rows of the present are, too: those of the whole log.
  package internal(set) var hasRightPresent = false
  /// What the book began with: an archive that is made meanwhile changes it.
  var floor: Int64 = 0

  /// Makes one that has seen nothing yet: all rows are then rebuilt.
  package init(of account: AccountID? = nil) {
    self.account = account
  }

  /// Makes one that has seen what the book begins with.
  init(_ connection: Connection, of account: AccountID?) throws(GatebookError) {
    self.account = account
    floor = try Baseline.read(connection)?.floor ?? 0
    end = Position(rawValue: floor)
    fold = try BaselineRows(connection).fold(of: account)
  }

  /// Folds and counts the rest of a log.
  ///
  /// - Parameter connection: The book.
  /// - Returns: All of its events, counted, with those of its beginning.
  /// - Throws: `storage` failures.
  mutating func foldRest(_ connection: Connection) throws(GatebookError) -> [TallyKey: Int64] {
    let rollup = try Rollup(nil, connection, of: nil)
    end = try LogScan(connection).fold(into: &fold, after: end, rollup)
    rollup.countRest()
    return rollup.tallies
  }

  /// Folds the rest of a log, and replaces the book's rows of the past where they are not right.
  ///
  /// - Parameter connection: The book, in a transaction.
  /// - Throws: `storage` failures.
  mutating func foldRest(replacingPastOf connection: Connection) throws(GatebookError) {
    let rows = RollupTables(connection)
    let rollup = hasRightPast ? nil : try Rollup(rows, connection, of: account)
    if rollup != nil { try rows.clear(of: account) }
    end = try LogScan(connection).fold(into: &fold, after: end, of: account, rollup)
    if let rollup { try rows.add(rollup.tallies) }
  }
}
