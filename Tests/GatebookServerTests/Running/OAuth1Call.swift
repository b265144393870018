internal import Foundation
internal import Testing

/// A request that the program `openssl` signs, and not Gatebook (RFC 5849, section 3).
struct OAuth1Call {
  enum Signature: String, CaseIterable {
    case hmacSHA1 = "HMAC-SHA1"
    case hmacSHA256 = "HMAC-SHA256"
    case rsaSHA1 = "RSA-SHA1"
    case plaintext = "PLAINTEXT"
  }

  let server: OAuth1Server
  let signature: Signature
  var method = "POST"
  let url: String
  /// What the call sends beside what every one does.
  var parameters: [String: String] = [:]
  /// What belongs to the token in the parameters.
  var tokenSecret = ""

  /// The header, signed over something else when it is forged.
  func header(forged: Bool = false) throws -> String {
    var fields = parameters
    fields["oauth_consumer_key"] =
      signature == .rsaSHA1 ? OAuth1Server.rsaConsumerKey : OAuth1Server.consumerKey
    fields["oauth_signature_method"] = signature.rawValue
    fields["oauth_timestamp"] = "\(Int(Date().timeIntervalSince1970))"
    fields["oauth_nonce"] = UUID().uuidString
    fields["oauth_signature"] = try sign(baseString(fields) + (forged ? "x" : ""), forged: forged)
    let list = fields.map { "\($0)=\"\(encode($1))\"" }.joined(separator: ", ")
    return "Authorization: OAuth \(list)"
  }

  func send(forged: Bool = false) throws -> ChildProcess {
    try Curl.run(["--fail-with-body", "-X", method, "-H", header(forged: forged), url])
  }

  func status(forged: Bool = false) throws -> Int? {
    try Curl.status(["-X", method, "-H", header(forged: forged), url])
  }

  /// The values of a reply that is written like a form.
  func form(_ reply: ChildProcess) throws -> [String: String] {
    try #require(reply.status == 0, "\(reply.output)\(reply.errors)")
    let items = URLComponents(string: "?" + reply.output)?.queryItems ?? []
    return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
  }

  /// Section 3.4.1.
  private func baseString(_ fields: [String: String]) -> String {
    let pairs = fields.sorted { $0.key < $1.key }.map { "\(encode($0.key))=\(encode($0.value))" }
    return [method, url, pairs.joined(separator: "&")].map(encode).joined(separator: "&")
  }

  private func sign(_ text: String, forged: Bool) throws -> String {
    let secret = signature == .rsaSHA1 ? "" : OAuth1Server.consumerSecret
    let key = "\(encode(secret))&\(encode(tokenSecret))"
    return switch signature {
    case .plaintext: key + (forged ? "x" : "")
    case .hmacSHA1: try openssl(["-sha1", "-mac", "HMAC", "-macopt", "key:\(key)"], text)
    case .hmacSHA256: try openssl(["-sha256", "-mac", "HMAC", "-macopt", "key:\(key)"], text)
    case .rsaSHA1: try openssl(["-sha1", "-hex", "-sign", server.rsaKey], text)
    }
  }

  /// In base64; the program prints hexadecimal digits after the last blank.
  private func openssl(_ arguments: [String], _ text: String) throws -> String {
    let result = try ChildProcess.run(
      "openssl", ["dgst"] + arguments, environment: TestServers.environment, input: text)
    try #require(result.status == 0, "\(result.errors)")
    var digits = try #require(result.output.split(whereSeparator: \.isWhitespace).last)
    var bytes = Data()
    while !digits.isEmpty {
      bytes.append(try #require(UInt8(digits.prefix(2), radix: 16)))
      digits = digits.dropFirst(2)
    }
    return bytes.base64EncodedString()
  }

  /// Section 3.6.
  private func encode(_ text: String) -> String {
    text.utf8.map { byte in
      let isLetter = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
      let isUnreserved = isLetter || "-._~".utf8.contains(byte)
      return isUnreserved ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
    }.joined()
  }
}
