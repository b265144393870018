internal import Gatebook
internal import GatebookCrypto

/// The parameters of a signed request from all its places (RFC 5849 section 3.4.1.3.1), decoded.
struct OAuth1Parameters {
  private let all: [LoopbackFields.Field]

  /// Collects the query, the `Authorization` field without its realm, and the form body.
  ///
  /// - Parameter request: The request.
  /// - Throws: `parameterRejected` when a parameter of the protocol is there twice.
  init(_ request: LoopbackRequest) throws(FakeOAuth1Refusal) {
    // RFC 5849 section 3.5.1: here a plus sign stays one.
    let header = (request.parameters("oauth")?.all ?? []).map { field in
      LoopbackFields.Field(
        PercentText.decode(field.name, plusIsBlank: false),
        PercentText.decode(field.value, plusIsBlank: false))
    }
    all = request.queryPairs + header.filter { $0.name != "realm" } + request.formPairs
    let names = all.map(\.name).filter { $0.hasPrefix("oauth_") }
    guard Set(names).count == names.count else { throw FakeOAuth1Refusal.parameterRejected }
  }

  /// Whether a request is signed at all.
  static func areIn(_ request: LoopbackRequest) -> Bool {
    request.authorization("oauth") != nil
  }

  /// The value of a parameter; empty values count as missing.
  subscript(name: String) -> String? {
    all.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// A parameter that has to be there.
  func required(_ name: String) throws(FakeOAuth1Refusal) -> String {
    guard let value = self[name] else { throw FakeOAuth1Refusal.parameterAbsent }
    return value
  }

  /// All but the signature, encoded, sorted by bytes and joined (RFC 5849 section 3.4.1.3.2).
  var normalized: String {
    let pairs = all.filter { $0.name != "oauth_signature" }.map { field in
      (name: PercentText.encode(field.name), value: PercentText.encode(field.value))
    }
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
        : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
    return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}

/// The HMAC-SHA1 check of a signed request (RFC 5849 section 3.4), written for the fake alone.
struct FakeOAuth1Signature {
  /// How far a consumer's clock may be off.
  static let window = Duration.seconds(300)

  let request: LoopbackRequest
  let parameters: OAuth1Parameters
  /// How the server is reached.
  let scheme: String

  /// The signature base string (RFC 5849 section 3.4.1).
  var baseString: String {
    let parts = [request.method.uppercased(), uri, parameters.normalized]
    return parts.map { PercentText.encode($0) }.joined(separator: "&")
  }

  /// The signature by these two secrets (RFC 5849 section 3.4.2).
  func value(_ consumerSecret: String, _ tokenSecret: String) -> String {
    let key = "\(PercentText.encode(consumerSecret))&\(PercentText.encode(tokenSecret))"
    return Base64Text.encode(
      HMAC.code(.sha1, key: Array(key.utf8), Array(baseString.utf8)))
  }

  /// RFC 5849 section 3.4.1.2: scheme and host in lower case, no default port, no query.
  private var uri: String {
    let host = (request.fields["Host"] ?? "").lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    let bare = host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    return "\(scheme)://\(bare)\(request.path)"
  }
}
