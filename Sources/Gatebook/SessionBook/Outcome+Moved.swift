extension Outcome {
  /// Which endpoints the server has moved, for `discovery.changed`; `nil` for none.
  var moved: Facts? {
    guard !changedEndpoints.isEmpty else { return nil }
    return ["endpoints": .list(changedEndpoints.map { .text($0) })]
  }
}
