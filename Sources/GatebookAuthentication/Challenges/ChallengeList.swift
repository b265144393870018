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
      let line = HeaderPieces.unfolded(Array(value.utf8))
      for piece in HeaderPieces.between(commasOf: line) {
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
}
