/// Removes `.` and `..` segments from a path (RFC 3986 section 5.2.4).
enum DotSegments {
  /// The path without such segments; `/` for an empty path.
  ///
  /// `%2e` counts as a dot: it is the same character (RFC 3986 section 6.2.2.2), and servers decode
  /// it before they look.
  static func removed(from path: some Collection<UInt8>) -> [UInt8] {
    let segments = Array(path).split(separator: .slash, omittingEmptySubsequences: false)
    // The piece before the first slash is empty: a path here starts with one or is empty.
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.dropFirst().enumerated() {
      let isLast = index == segments.count - 2
      switch dots(segment) {
      case 1: if isLast { kept.append([]) }
      case 2:
        _ = kept.popLast()
        if isLast { kept.append([]) }
      default: kept.append(segment)
      }
    }
    return [.slash] + kept.joined(separator: [.slash])
  }

  /// 1 for `.`, 2 for `..`, 0 for any other segment.
  private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
    guard segment.count <= 6 else { return 0 }
    let text = segment.lowercaseText
    if [".", "%2e"].contains(text) { return 1 }
    return ["..", ".%2e", "%2e.", "%2e%2e"].contains(text) ? 2 : 0
  }
}
