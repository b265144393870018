extension FactValue {
  /// The canonical bytes of the value alone, see `FactWriter`.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}
