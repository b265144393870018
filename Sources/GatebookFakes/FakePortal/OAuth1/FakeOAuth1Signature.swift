internal import Gatebook

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
      PlainHash.sha1.keyed(Array(key.utf8), Array(baseString.utf8)))
  }

  /// RFC 5849 section 3.4.1.2: scheme and host in lower case, no default port, no query.
  private var uri: String {
    let host = (request.fields["Host"] ?? "").lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    let bare = host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    return "\(scheme)://\(bare)\(request.path)"
  }
}
