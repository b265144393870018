/// Reads `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110 sections 11.3 and 11.6.1).
///
/// All lines are one list. Commas separate both challenges and parameters, so the form of each
/// piece decides: a name with `=` and a value is a parameter of the current challenge, any other
/// leading name starts a new one. A faulty challenge is dropped, the others are kept.
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
      for piece in HeaderPieces.of(value) {
        let text = piece.drop(while: \.isBlank)
        if let draft = ChallengeDraft(text) {
          drafts.append(draft)
        } else if !text.isEmpty, !drafts.isEmpty {
          // A parameter before the first scheme belongs to nothing.
          drafts[drafts.count - 1].add(AuthenticationChallenge.Parameter(text))
        }
      }
    }
    return Array(drafts.filter { !$0.isFaulty }.map(\.challenge).prefix(maximumCount))
  }
}

/// A challenge while its pieces come in.
private struct ChallengeDraft {
  private(set) var challenge: AuthenticationChallenge
  /// Whether parameters may follow: not after a token68, nor after a scheme without a blank.
  private let takesParameters: Bool
  private(set) var isFaulty = false

  /// Reads the piece that starts a challenge: a scheme, and nothing, one token68 or the first
  /// parameter; `nil` for any other one.
  ///
  /// Blanks at the end count, as only they say that a bare scheme has a list of parameters: `Basic
  /// , realm="x"`.
  init?(_ text: ArraySlice<UInt8>) {
    let name = text.prefix(while: \.isTokenCharacter)
    let rest = text[name.endIndex...]
    let tail = rest.trimmed
    guard !name.isEmpty, rest.first?.isBlank != false, tail.first != .equals else { return nil }
    let isToken68 = Self.isToken68(tail)
    challenge = AuthenticationChallenge(
      name.lowercaseText, token68: isToken68 ? tail.text : nil)
    takesParameters = !rest.isEmpty && !isToken68
    if !tail.isEmpty, !isToken68 { add(AuthenticationChallenge.Parameter(tail)) }
  }

  /// The grammar's `1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`.
  private static func isToken68(_ text: ArraySlice<UInt8>) -> Bool {
    let body = text.prefix { $0.isUnreserved || $0 == .slash || $0 == UInt8(ascii: "+") }
    return !body.isEmpty && text[body.endIndex...].allSatisfy { $0 == .equals }
  }

  /// Adds a parameter: "parameter names are matched case-insensitively and each MUST only occur
  /// once per challenge" (RFC 9110 section 11.2).
  ///
  /// One that cannot be read spoils the challenge.
  mutating func add(_ parameter: AuthenticationChallenge.Parameter?) {
    guard let parameter, takesParameters, challenge[parameter.name] == nil else {
      isFaulty = true
      return
    }
    challenge.parameters.append(parameter)
  }
}

extension HTTPReply {
  /// The ways to authenticate that the server offers, in its order; faulty ones are left out.
  package var challenges: [AuthenticationChallenge] {
    ChallengeList.parse(fields.values(of: "WWW-Authenticate"))
  }

  /// Whether an answer to a challenge may have to be made over the request's body (`auth-int`, RFC
  /// 7616 section 3.4.3).
  package var wantsSignedBody: Bool {
    challenges.contains { DigestChallenge($0)?.quality == .integrity }
  }
}

/// Takes the lines of a field whose value is a list apart (RFC 9110 section 5.6.1).
enum HeaderPieces {
  /// The pieces of a line between commas, some of them empty: "a recipient MUST parse and ignore a
  /// reasonable number of empty list elements" (RFC 9110 section 5.6.1.2).
  static func of(_ line: String) -> [ArraySlice<UInt8>] {
    between(commasOf: unfolded(Array(line.utf8)))
  }

  /// A line with each obsolete folding as one blank (RFC 9112 section 5.2).
  ///
  /// The grammar is `obs-fold = OWS CRLF RWS`; a line end without a following blank is none.
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
  private static func between(commasOf line: [UInt8]) -> [ArraySlice<UInt8>] {
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
