extension Outcome {
  /// Which endpoints the server has moved, for `discovery.changed`; `nil` for none.
  var moved: DiscoveryChanged? {
    changedEndpoints.isEmpty ? nil : DiscoveryChanged(endpoints: changedEndpoints)
  }
}
