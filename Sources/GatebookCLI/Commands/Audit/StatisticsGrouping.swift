/// What `stats --by` has a line for.
enum StatisticsGrouping: String, CaseIterable {
  case day, kind, account
}
