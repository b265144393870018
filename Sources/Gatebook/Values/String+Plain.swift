extension String {
  /// A name that an app or a server chose, if it may be in the clear; otherwise `nil`.
  static func plain(_ name: String) -> String? {
    GatebookError.isPlainName(name) ? name : nil
  }

  /// A scope of such names, if each may be in the clear; otherwise `nil`.
  static func plainScope(_ scope: String) -> String? {
    let names = scope.split(separator: " ").map(String.init)
    guard names.count <= 16, names.allSatisfy(GatebookError.isPlainName) else { return nil }
    return scope
  }
}
