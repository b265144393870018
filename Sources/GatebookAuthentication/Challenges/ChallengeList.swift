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

/// A piece between two commas of a list of challenges.
enum ChallengePiece {
  /// An empty element: "a recipient MUST parse and ignore a reasonable number of empty list
  /// elements" (RFC 9110 section 5.6.1.2).
  case nothing
  /// A new challenge, with the text after its scheme.
  case start(ChallengeDraft)
  /// One more parameter of the current challenge.
  case parameter(AuthenticationChallenge.Parameter)
  /// Something that spoils the current challenge.
  case fault

  /// Tells the pieces apart; blanks at the end count, as only they say that a bare scheme has a
  /// list of parameters: `Basic , realm="x"`.
  init(_ piece: ArraySlice<UInt8>) {
    let text = piece.drop(while: \.isBlank)
    let name = text.prefix(while: \.isTokenCharacter)
    let rest = text[name.endIndex...]
    if text.isEmpty {
      self = .nothing
    } else if name.isEmpty {
      self = .fault
    } else if rest.trimmed.first == .equals {
      self = AuthenticationChallenge.Parameter(text).map { .parameter($0) } ?? .fault
    } else if rest.isEmpty {
      let challenge = AuthenticationChallenge(name.lowercaseText)
      self = .start(ChallengeDraft(challenge, takesParameters: false))
    } else if rest.first?.isBlank == true {
      self = .start(Self.draft(scheme: name.lowercaseText, tail: rest.trimmed))
    } else {
      self = .fault
    }
  }

  /// A scheme and what follows it: nothing, one token68 or the first parameter.
  private static func draft(scheme: String, tail: ArraySlice<UInt8>) -> ChallengeDraft {
    if tail.isEmpty {
      return ChallengeDraft(AuthenticationChallenge(scheme), takesParameters: true)
    }
    if isToken68(tail) {
      let challenge = AuthenticationChallenge(scheme, token68: tail.text)
      return ChallengeDraft(challenge, takesParameters: false)
    }
    let first = AuthenticationChallenge.Parameter(tail)
    let challenge = AuthenticationChallenge(scheme, parameters: first.map { [$0] } ?? [])
    return ChallengeDraft(challenge, takesParameters: true, isFaulty: first == nil)
  }

  /// The grammar's `1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`.
  private static func isToken68(_ text: ArraySlice<UInt8>) -> Bool {
    let body = text.prefix { $0.isUnreserved || $0 == .slash || $0 == UInt8(ascii: "+") }
    return !body.isEmpty && text[body.endIndex...].allSatisfy { $0 == .equals }
  }
}

/// A challenge while its pieces come in.
struct ChallengeDraft {
  private(set) var challenge: AuthenticationChallenge
  /// Whether parameters may follow: not after a token68, nor after a scheme without a blank.
  private let takesParameters: Bool
  var isFaulty = false

  init(_ challenge: AuthenticationChallenge, takesParameters: Bool, isFaulty: Bool = false) {
    self.challenge = challenge
    self.takesParameters = takesParameters
    self.isFaulty = isFaulty
  }

  /// Adds a parameter: "parameter names are matched case-insensitively and each MUST only occur
  /// once per challenge" (RFC 9110 section 11.2).
  mutating func add(_ parameter: AuthenticationChallenge.Parameter) {
    if !takesParameters || challenge[parameter.name] != nil { isFaulty = true }
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
  /// A line with each obsolete folding as one blank (RFC 9112 section 5.2).
  ///
  /// The grammar is `obs-fold = OWS CRLF RWS`; a line end without a following blank is none.
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
