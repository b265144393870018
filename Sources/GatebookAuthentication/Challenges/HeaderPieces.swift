/// Takes the lines of a field whose value is a list apart (RFC 9110 section 5.6.1).
enum HeaderPieces {
  /// A line with each obsolete folding as one blank (RFC 9112 section 5.2).
  ///
  /// The grammar is `obs-fold = OWS CRLF RWS`; a line end without a blank behind it is none.
  static func unfolded(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < line.count {
      guard line[index...].starts(with: "\r\n".utf8), line[(index + 2)...].first?.isBlank == true
      else {
        result.append(line[index])
        index += 1
        continue
      }
      while result.last?.isBlank == true { result.removeLast() }
      result.append(.blank)
      index = line[(index + 2)...].firstIndex { !$0.isBlank } ?? line.count
    }
    return result
  }

  /// The pieces between commas; a comma inside quotes parts nothing.
  static func between(commasOf line: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    var isQuoted = false
    while index < line.count {
      switch line[index] {
      case .quote: isQuoted.toggle()
      case .backslash where isQuoted: index += 1
      case .comma where !isQuoted:
        pieces.append(line[start..<index])
        start = index + 1
      default: break
      }
      index += 1
    }
    return pieces + [line[start...]]
  }
}
