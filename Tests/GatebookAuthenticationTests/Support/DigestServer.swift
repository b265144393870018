internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents

/// A server that asks for Digest, with a reader and a computation of its own.
struct DigestServer {
  var user = "ada"
  var password = "rabbit"
  var realm = "members"
  var algorithm = "SHA-256"
  /// `nil` for an old server.
  var quality: String? = "auth"
  /// The only nonce that is not too old.
  var nonce = "n1"
  /// Announced with each success, and valid from then on.
  var nextNonce: String?
  /// More parameters of the challenge.
  var extra = ""
  /// `nil` sends the right one.
  var falseProof: String?
  /// What the replies prove; `nil` as asked for.
  var body = "secret page"

  /// Each nonce with each count that was used, in the order of arrival.
  private(set) var uses: [String] = []
  /// HA1 of a `-sess` algorithm, made with the first request.
  private var sessionKey: String?

  /// The reply that asks for an answer.
  func challenge(isStale: Bool = false) -> HTTPReply {
    let quality = quality.map { ", qop=\"\($0)\"" } ?? ""
    let stale = isStale ? ", stale=true" : ""
    let text =
      "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", algorithm=\(algorithm)\(quality)\(stale)"
    return .answer(401, ["WWW-Authenticate": text + extra])
  }

  /// Judges one request.
  mutating func reply(to request: HTTPRequest) -> HTTPReply {
    guard let parts = Self.parts(of: request), parts["username"] == user,
      parts["realm"] == realm, parts["uri"] == request.url.target
    else { return challenge() }
    guard parts["nonce"] == nonce else { return challenge(isStale: true) }
    if let count = parts["nc"] {
      guard !uses.contains("\(nonce) \(count)") else { return challenge(isStale: true) }
      uses.append("\(nonce) \(count)")
    }
    let key = key(for: parts)
    guard parts["response"] == digest(key, parts, request.method, String(request.text)) else {
      return challenge()
    }
    let proof = falseProof ?? digest(key, parts, "", body)
    var info = "rspauth=\"\(proof)\""
    if let next = nextNonce {
      info += ", nextnonce=\"\(next)\""
      nonce = next
    }
    return .answer(200, ["Authentication-Info": info], body: body)
  }

  private mutating func key(for parts: [String: String]) -> String {
    let key = hash("\(user):\(realm):\(password)")
    guard algorithm.hasSuffix("-sess") else { return key }
    let session = sessionKey ?? hash("\(key):\(nonce):\(parts["cnonce"] ?? "")")
    sessionKey = session
    return session
  }

  private func digest(
    _ key: String, _ parts: [String: String], _ method: String, _ body: String
  ) -> String {
    var request = "\(method):\(parts["uri"] ?? "")"
    if quality == "auth-int" { request += ":\(hash(body))" }
    guard let quality else { return hash("\(key):\(nonce):\(hash(request))") }
    let middle = [nonce, parts["nc"] ?? "", parts["cnonce"] ?? "", quality].joined(separator: ":")
    return hash("\(key):\(middle):\(hash(request))")
  }

  private func hash(_ text: String) -> String {
    let function: HashFunction =
      algorithm.hasPrefix("SHA-512") ? .sha512Over256 : algorithm.hasPrefix("SHA") ? .sha256 : .md5
    return Hex.encode(function.hash(Array(text.utf8)))
  }

  /// The parts of an answer; `nil` for a request without one.
  static func parts(of request: HTTPRequest) -> [String: String]? {
    guard let field = request.field("Authorization"), field.hasPrefix("Digest ") else { return nil }
    var parts: [String: String] = [:]
    var name = ""
    var value: String?
    var isQuoted = false
    for character in field.dropFirst("Digest ".count) + "," {
      switch (character, value) {
      case (",", let text?) where !isQuoted:
        parts[name] = text
        name = ""
        value = nil
      case ("\"", _?): isQuoted.toggle()
      case (_, let text?): value = text + String(character)
      case ("=", nil): value = ""
      case (" ", nil): break
      case (_, nil): name.append(character)
      }
    }
    return parts
  }
}
