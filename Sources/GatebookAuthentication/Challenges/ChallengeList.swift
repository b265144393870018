/// Reads `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110 sections 11.3 and 11.6.1).
///
/// All lines are one list. Commas part both challenges and parameters, so each piece has to say
/// what it is: a name with `=` and a value behind it is a parameter of the current challenge, any
/// other leading name starts a new one. A faulty challenge is dropped, the others are kept.
package enum ChallengeList {
  /// The most challenges that are read; the others are ignored.
  package static let maximumCount = 64
  /// The most bytes of all lines; a line that goes beyond is ignored, with all after it.
  package static let maximumSize = 16 << 10

  /// The challenges in their order.
  package static func parse(_ values: [String]) -> [AuthenticationChallenge] {
    var drafts: [ChallengeDraft] = []
    var size = 0
    for value in values {
      size += value.utf8.count
      guard size <= maximumSize else { break }
      for piece in pieces(of: unfolded(Array(value.utf8))) {
        switch ChallengePiece(piece) {
        case .nothing: break
        case .start(let draft): drafts.append(draft)
        case .parameter(let parameter):
          // A parameter before the first scheme belongs to nothing.
          if !drafts.isEmpty { drafts[drafts.count - 1].add(parameter) }
        case .fault: if !drafts.isEmpty { drafts[drafts.count - 1].isFaulty = true }
        }
      }
    }
    return Array(drafts.filter { !$0.isFaulty }.map(\.challenge).prefix(maximumCount))
  }

  /// A line with each obsolete folding as one blank (RFC 9112 section 5.2).
  ///
  /// The grammar is `obs-fold = OWS CRLF RWS`; a line end without a blank behind it is none.
  private static func unfolded(_ line: [UInt8]) -> [UInt8] {
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
  private static func pieces(of line: [UInt8]) -> [ArraySlice<UInt8>] {
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
