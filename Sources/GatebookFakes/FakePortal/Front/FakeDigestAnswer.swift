/// The answer to a Digest challenge as the fake reads and checks it (RFC 7616 section 3.4).
struct FakeDigestAnswer {
  /// The nonce that is answered.
  let nonce: String
  /// How often it was answered, this time included.
  let count: Int
  private let scheme: FakePortalFront.Scheme
  private let parameters: LoopbackFields

  /// Reads `Authorization`; `nil` unless it is a whole answer with `qop=auth`.
  init?(_ request: LoopbackRequest) {
    guard let parameters = request.parameters("digest") else { return nil }
    // RFC 7616 section 3.4: no algorithm means MD5; nc is eight hexadecimal digits.
    let algorithm = (parameters["algorithm"] ?? "MD5").uppercased()
    guard let scheme = FakePortalFront.Scheme.allCases.first(where: { $0.algorithm == algorithm }),
      let nonce = parameters["nonce"], let digits = parameters["nc"], digits.utf8.count == 8,
      let count = Int(digits, radix: 16), parameters["qop"] == "auth",
      parameters["cnonce"]?.isEmpty == false
    else { return nil }
    self.parameters = parameters
    self.scheme = scheme
    self.nonce = nonce
    self.count = count
  }

  /// Whether the answer is right for a request and a front.
  func isRight(for request: LoopbackRequest, _ front: FakePortalFront) -> Bool {
    guard front.schemes.contains(scheme), parameters["realm"] == front.realm,
      parameters["opaque"] == "gatebook", parameters["uri"] == request.target,
      userName == front.name
    else { return false }
    return parameters["response"] == response(front, scheme.hash(request.method, request.target))
  }

  /// What proves that the server knows the password too (RFC 7616 section 3.5).
  func proof(by front: FakePortalFront) -> String {
    let proof = response(front, scheme.hash("", parameters["uri"] ?? ""))
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
    let first = scheme.hash(front.name, front.realm, front.password)
    return scheme.hash(
      first, nonce, parameters["nc"] ?? "", parameters["cnonce"] ?? "", "auth", second)
  }
}
