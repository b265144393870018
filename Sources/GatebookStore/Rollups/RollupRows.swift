internal import GatebookEvents

/// Where a fold of the log leaves what it makes of the past: in the tables, or beside what stands
/// there.
protocol RollupRows: AnyObject {
  func take(_ block: Block) throws(GatebookError)
  func take(_ snapshot: Snapshot) throws(GatebookError)
}
