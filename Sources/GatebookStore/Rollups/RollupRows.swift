internal import GatebookEvents

/// Where a fold of the log puts its rows of the past: in the tables, or beside the stored ones.
protocol RollupRows: AnyObject {
  func take(_ block: Block) throws(GatebookError)
  func take(_ snapshot: Snapshot) throws(GatebookError)
}
