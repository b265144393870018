/// The answer to a Digest challenge as the fake reads and checks it (RFC 7616 section 3.4).
struct FakeDigestAnswer {
  /// The hash of a challenge, by the name that stands in it.
  enum Algorithm: String {
    case md5 = "MD5"
    case sha256 = "SHA-256"

    init?(_ scheme: FakePortalFront.Scheme) {
      switch scheme {
      case .basic: return nil
      case .md5: self = .md5
      case .sha256: self = .sha256
      }
    }

    var scheme: FakePortalFront.Scheme { self == .md5 ? .md5 : .sha256 }

    func hash(_ parts: String...) -> String {
      let text = parts.joined(separator: ":")
      return self == .md5 ? PlainHash.md5.hex(text) : PlainHash.sha256.hex(text)
    }
  }

  /// The nonce that is answered.
  let nonce: String
  /// How often it was answered, this time included.
  let count: Int
  private let algorithm: Algorithm
  private let parameters: [String: String]

  /// Reads `Authorization`; `nil` unless it is a whole answer with `qop=auth`.
  init?(_ request: LoopbackRequest) {
    guard let text = request.authorization("digest") else { return nil }
    let parameters = Self.parameters(of: text)
    // RFC 7616 section 3.4: no algorithm means MD5; nc is eight hexadecimal digits.
    guard let algorithm = Algorithm(rawValue: (parameters["algorithm"] ?? "MD5").uppercased()),
      let nonce = parameters["nonce"], let digits = parameters["nc"], digits.utf8.count == 8,
      let count = Int(digits, radix: 16), parameters["qop"] == "auth",
      parameters["cnonce"]?.isEmpty == false
    else { return nil }
    self.parameters = parameters
    self.algorithm = algorithm
    self.nonce = nonce
    self.count = count
  }

  /// Whether the answer is right for a request and a front.
  func isRight(for request: LoopbackRequest, _ front: FakePortalFront) -> Bool {
    guard front.schemes.contains(algorithm.scheme), parameters["realm"] == front.realm,
      parameters["opaque"] == "gatebook", parameters["uri"] == request.target,
      userName == front.name
    else { return false }
    return parameters["response"] == response(front, algorithm.hash(request.method, request.target))
  }

  /// What proves that the server knows the password too (RFC 7616 section 3.5).
  func proof(by front: FakePortalFront) -> String {
    let proof = response(front, algorithm.hash("", parameters["uri"] ?? ""))
    let (cnonce, digits) = (parameters["cnonce"] ?? "", parameters["nc"] ?? "")
    return "qop=auth, rspauth=\"\(proof)\", cnonce=\"\(cnonce)\", nc=\(digits)"
  }

  /// RFC 7616 section 3.4: a name beyond ASCII comes as `username*=UTF-8''…`.
  private var userName: String? {
    guard let extended = parameters["username*"] else { return parameters["username"] }
    guard extended.uppercased().hasPrefix("UTF-8''") else { return nil }
    return PercentText.decode(extended.dropFirst(7), plusIsBlank: false)
  }

  /// What the answer has to be; `second` is the hash of method and target.
  func response(_ front: FakePortalFront, _ second: String) -> String {
    let first = algorithm.hash(front.name, front.realm, front.password)
    return algorithm.hash(
      first, nonce, parameters["nc"] ?? "", parameters["cnonce"] ?? "", "auth", second)
  }

  /// Reads `name=value` and `name="value"` separated by commas; commas in quotes are text.
  private static func parameters(of text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text
    while !rest.isEmpty {
      rest = rest.drop { $0 == "," || $0 == " " }
      let name = rest.prefix { $0 != "=" }
      rest = rest.dropFirst(name.count + 1)
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { isQuoted ? $0 != "\"" : $0 != "," && $0 != " " }
      rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
      if !name.isEmpty { found[name.lowercased()] = String(value) }
    }
    return found
  }
}
