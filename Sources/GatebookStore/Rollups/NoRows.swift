/// For a fold whose rows of the past nobody wants.
final class NoRows: RollupRows {
  func take(_ block: Block) {}
  func take(_ snapshot: Snapshot) {}
}
