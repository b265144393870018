extension FactValue {
  /// A name that an app or a server chose, if it may stand in the clear.
  static func plain(_ name: String) -> FactValue? {
    GatebookError.isPlainName(name) ? .text(name) : nil
  }

  /// A scope of such names, if each may stand in the clear.
  static func plainScope(_ scope: String) -> FactValue? {
    let names = scope.split(separator: " ").map(String.init)
    guard names.count <= 16, names.allSatisfy(GatebookError.isPlainName) else { return nil }
    return .text(scope)
  }
}
